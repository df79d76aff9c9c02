import type { UseFormReturnType } from '@mantine/form';
import { useEffect } from 'react';

/** Shows in a form what others save meanwhile, unless somebody is writing in it. */
export function useFollowed<T extends Record<string, unknown>>(form: UseFormReturnType<T>, values: T) {
  const text = JSON.stringify(values);
  // biome-ignore lint/correctness/useExhaustiveDependencies: form and values are other objects each time
  useEffect(() => {
    if (form.isDirty()) return;
    form.setInitialValues(values);
    form.reset();
  }, [text]);
}
