import type { Problems } from '../form/problems';
import type { Editor, Field } from '../kinds/types';

export type FieldOf<E extends Editor['editor']> = Extract<Field, { editor: E }>;

/** What every editor is given. The value is of the API's shape, or absent. */
export type EditorProps<F extends Field = Field> = {
  field: F;
  label: string;
  help?: string;
  value: unknown;
  onChange: (value: unknown) => void;
  problems: Problems;
  /** Whether writing begins here. */
  focus?: boolean;
};
