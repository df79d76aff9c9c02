import type { InputWrapperProps } from '@mantine/core';

/** The help of a field stands under it, where it does not push the field away from its name. */
export const BELOW = {
  inputWrapperOrder: ['label', 'input', 'description', 'error'],
} satisfies Pick<InputWrapperProps, 'inputWrapperOrder'>;
