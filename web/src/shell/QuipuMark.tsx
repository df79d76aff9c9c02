/** Three cords with knots, hanging from one. */
export function QuipuMark({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" strokeLinecap="round" aria-hidden="true">
      <path d="M3 6h26" stroke="var(--mantine-primary-color-filled)" strokeWidth="3.5" />
      <path d="M8 6v20M16 6v22M24 6v17" stroke="var(--mantine-primary-color-filled)" strokeWidth="2.5" />
      <g fill="var(--mantine-color-ochre-5)">
        <circle cx="8" cy="14" r="3" />
        <circle cx="8" cy="23" r="3" />
        <circle cx="16" cy="19" r="3" />
        <circle cx="24" cy="12" r="3" />
        <circle cx="24" cy="20" r="3" />
      </g>
    </svg>
  );
}
