import { useRef } from 'react';
import { ApiError, once } from '../../api/client';

/** The key of a request, which stays the same for as long as the same is asked for again. */
export function useOnce() {
  const kept = useRef<{ of: string; header: ReturnType<typeof once> }>(undefined);
  return (body: unknown) => {
    const of = JSON.stringify(body);
    if (kept.current?.of !== of) kept.current = { of, header: once() };
    return kept.current.header;
  };
}

/** What the server says of single fields, by their names, in its own words. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError) || !Array.isArray(error.details?.fields)) return {};
  const parts = error.message.replace(/\.$/, '').split(/[:;] /);
  const found: Record<string, string> = {};
  for (const { field } of error.details.fields as { field?: string }[]) {
    if (!field) continue;
    const part = parts.find((one) => one.startsWith(`${field} `))?.slice(field.length + 1);
    found[field] = part ? part.charAt(0).toUpperCase() + part.slice(1) : error.message;
  }
  return found;
}

/** Help stands under its field. */
export const UNDER = { inputWrapperOrder: ['label', 'input', 'description', 'error'] } as {
  inputWrapperOrder: ('label' | 'input' | 'description' | 'error')[];
};
