/** A magnifying glass. */
export function SearchMark({ size = 16 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" fill="none" strokeLinecap="round" aria-hidden="true">
      <circle cx="7" cy="7" r="4.5" stroke="currentColor" strokeWidth="1.6" />
      <path d="m10.5 10.5 4 4" stroke="currentColor" strokeWidth="1.6" />
    </svg>
  );
}
