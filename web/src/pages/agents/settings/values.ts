import type { Schemas } from '../../../api/client';
import type { SavedAgent } from '../queries';

export const STYLES = [
  'profesional',
  'profesional_calido',
  'casual',
  'muy_formal',
] as const satisfies readonly Schemas['ResponseStyle'][];
export const KINDS = [
  'full',
  'appointments_only',
  'orders_only',
  'info_only',
  'personal_brand',
  'lead_capture',
] as const satisfies readonly Schemas['AssistantType'][];
export const GROUNDINGS = ['strict', 'open'] as const satisfies readonly Schemas['Grounding'][];
export const VERTICALS = [
  'general',
  'dental',
  'medical',
  'restaurant',
] as const satisfies readonly Schemas['Vertical'][];
export const LANGUAGES = ['es', 'en'] as const satisfies readonly Schemas['Language'][];

export type SettingsValues = ReturnType<typeof valuesOf>;

/** An agent as its form has it. */
export function valuesOf(agent: SavedAgent) {
  const { settings } = agent;
  const tried = settings.experiment;
  return {
    name: agent.name,
    company_name: agent.company_name,
    vertical: agent.vertical,
    language: agent.language,
    allows_personal_corpus: agent.allows_personal_corpus,
    settings: {
      response_style: settings.response_style,
      assistant_type: settings.assistant_type,
      grounding: settings.grounding,
      max_sentences: settings.max_sentences,
      max_words: settings.max_words,
      memory: settings.memory,
      top_k: settings.top_k,
      // Kept in fewer bits than a number of ours has.
      similarity_threshold: Number(settings.similarity_threshold.toFixed(3)),
      tracks_temperature: settings.tracks_temperature,
      polish: settings.polish,
      rehearse_before_publishing: settings.rehearse_before_publishing,
      system_instructions: settings.system_instructions ?? '',
      experiment: {
        name: tried?.name ?? '',
        percent: tried?.percent ?? 50,
        response_style: tried?.response_style ?? null,
        max_sentences: (tried?.max_sentences ?? '') as number | '',
        system_instructions: tried?.system_instructions ?? '',
      },
    },
    compares: tried != null,
  };
}

/** What is sent of a form. A text that was emptied goes back to none. */
export function bodyOf({ settings, compares, ...rest }: SettingsValues): Schemas['SaveDraft'] {
  const { experiment, system_instructions, ...plain } = settings;
  const tried = {
    ...experiment,
    max_sentences: experiment.max_sentences === '' ? null : experiment.max_sentences,
    system_instructions: experiment.system_instructions.trim() || null,
  };
  return {
    ...rest,
    settings: {
      ...plain,
      system_instructions: system_instructions.trim() || null,
      experiment: compares ? tried : null,
    },
  };
}
