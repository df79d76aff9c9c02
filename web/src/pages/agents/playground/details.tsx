import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../../../i18n';
import { CheckView, FallbackView, MisconfiguredView, ModelView, ToolView, UnreceivedView } from './doing';
import { Problem } from './problem';
import { type Details, type StepProps, textOf, type ViewProps } from './props';
import { GuardView, RouterView, SearchView, SupervisorView } from './reading';
import { ValueView } from './values';

const VIEWS: Record<string, (props: ViewProps) => ReactNode> = {
  guard: GuardView,
  supervisor: SupervisorView,
  router: RouterView,
  hand_off: RouterView,
  search: SearchView,
  tool: ToolView,
  model: ModelView,
  check: CheckView,
  fallback: FallbackView,
  misconfigured: MisconfiguredView,
  unreceived: UnreceivedView,
};

/** What a step was about, in words where it is a known one. */
export function StepDetails(props: StepProps) {
  const t = useTexts();
  const { step } = props;
  const details = step.details as Details;
  // What a model failed with is told where it was asked.
  const error = details.why === 'model' ? undefined : textOf(details.error);
  const View = VIEWS[step.name];
  return (
    <Stack gap={4} fz="sm">
      {View ? <View {...props} details={details} /> : <ValueView value={details} />}
      {error && <Problem>{step.name === 'tool' ? t.agents.failedWith(error) : error}</Problem>}
    </Stack>
  );
}
