import type { ReactNode } from 'react';
import type { Editor } from '../kinds/types';
import { DiscountEditor, PromotionEditor, SpendEditor } from './bargains';
import { DurationEditor, DurationsEditor } from './duration';
import { HoursEditor } from './hours';
import { MoneyEditor } from './money';
import { OptionsEditor } from './options';
import type { EditorProps, FieldOf } from './props';
import { ReferenceEditor, ReferencesEditor } from './references';
import {
  ChoiceEditor,
  CurrencyEditor,
  LineEditor,
  LinesEditor,
  NumberEditor,
  SuggestEditor,
  SwitchEditor,
  TagsEditor,
  TemplateEditor,
  TextEditor,
  TimeZoneEditor,
} from './simple';
import { TimeOffEditor } from './time-off';

/** Who edits what. */
export const EDITORS: { [E in Editor['editor']]: (props: EditorProps<FieldOf<E>>) => ReactNode } = {
  line: LineEditor,
  text: TextEditor,
  template: TemplateEditor,
  switch: SwitchEditor,
  number: NumberEditor,
  money: MoneyEditor,
  duration: DurationEditor,
  durations: DurationsEditor,
  choice: ChoiceEditor,
  currency: CurrencyEditor,
  tags: TagsEditor,
  lines: LinesEditor,
  suggest: SuggestEditor,
  reference: ReferenceEditor,
  references: ReferencesEditor,
  timeZone: TimeZoneEditor,
  hours: HoursEditor,
  timeOff: TimeOffEditor,
  options: OptionsEditor,
  promotion: PromotionEditor,
  discount: DiscountEditor,
  spend: SpendEditor,
};
