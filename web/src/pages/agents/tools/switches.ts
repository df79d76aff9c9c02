import type { Tool } from '../queries';

/** Which tools are off: those that were switched off, and those that need one of them. */
export function offOf(tools: readonly Tool[], chosen: readonly string[]): Set<string> {
  const essential = new Set(tools.filter((tool) => tool.essential).map((tool) => tool.name));
  const off = new Set(chosen.filter((name) => !essential.has(name)));
  let before = -1;
  while (before !== off.size) {
    before = off.size;
    for (const tool of tools) if (tool.needs.some((name) => off.has(name))) off.add(tool.name);
  }
  return off;
}

/** What a tool needs and cannot have. */
export const missingOf = (tool: Tool, off: ReadonlySet<string>) => tool.needs.filter((name) => off.has(name));

/** The tools that go with one. */
export const dependentsOf = (tool: Tool, tools: readonly Tool[]) =>
  tools.filter((other) => other.needs.includes(tool.name)).map((other) => other.name);
