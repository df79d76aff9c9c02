import { type RefObject, useEffect } from 'react';

/** Leads to the first field that is wrong, or to what was said, which may be far from where one pressed. */
export function useAttention(form: RefObject<HTMLFormElement | null>, error: unknown) {
  useEffect(() => {
    if (!error) return;
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (wrong) wrong.focus();
    else form.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'nearest' });
  }, [form, error]);
}
