import { type Texts, useTexts } from '../../../i18n';
import { type Formats, useFormats } from '../../customers/formats';

const MODEL = /^settings\.(model|fallback_model|voice_model|experiment)\.(?:model\.)?(\w+)$/;

/** What the fields of an agent are called in its forms. */
function namesOf(t: Texts): Record<string, string> {
  const words = t.agents;
  const tried = (name: string) => `${words.sections.trying}: ${name}`;
  return {
    name: t.common.name,
    company_name: words.company,
    vertical: words.vertical,
    language: words.language,
    allows_personal_corpus: words.personal,
    'settings.response_style': words.style,
    'settings.assistant_type': words.kind,
    'settings.grounding': words.grounding,
    'settings.system_instructions': words.instructions,
    'settings.max_sentences': words.maxSentences,
    'settings.max_words': words.maxWords,
    'settings.memory': words.memory,
    'settings.top_k': words.topK,
    'settings.similarity_threshold': words.threshold,
    'settings.tracks_temperature': words.temperature,
    'settings.polish': words.polish,
    'settings.rehearse_before_publishing': t.rehearsals.gate,
    'settings.disabled_tools': t.switches.field,
    'settings.experiment.name': tried(words.experimentName),
    'settings.experiment.percent': tried(words.experimentPercent),
    'settings.experiment.response_style': tried(words.style),
    'settings.experiment.max_sentences': tried(words.maxSentences),
    'settings.experiment.system_instructions': tried(words.instructions),
  };
}

/** The fields of a model, in the order of its form. */
function modelFields(t: Texts): Record<string, string> {
  const words = t.agents.model;
  return {
    provider: words.provider,
    model: words.name,
    base_url: words.address,
    temperature: words.temperature,
    max_tokens: words.maxTokens,
    timeout_seconds: words.timeout,
    context_tokens: words.context,
    reads_pictures: words.pictures,
  };
}

function modelField(t: Texts, path: string): string | undefined {
  const [, slot, field] = MODEL.exec(path) ?? [];
  if (!slot || !field) return undefined;
  const slots: Record<string, string> = t.agents.model.slots;
  const name = modelFields(t)[field];
  return name && `${slots[slot]}: ${name}`;
}

/** Words that people choose from, by the last part of the path of a field. */
function wordsOf(t: Texts): Record<string, Record<string, string>> {
  const words = t.agents;
  return {
    vertical: words.verticals,
    language: words.languages,
    response_style: words.styles,
    assistant_type: words.kinds,
    grounding: words.groundings,
    provider: words.model.providers,
  };
}

function textOf(t: Texts, formats: Formats, path: string, value: unknown): string {
  if (value == null || value === '') return t.versions.nothing;
  if (typeof value === 'boolean') return value ? t.agents.yes : t.agents.no;
  if (typeof value === 'number') return formats.decimals(value, 3);
  if (typeof value === 'string') return wordsOf(t)[path.split('.').at(-1) ?? '']?.[value] ?? value;
  if (Array.isArray(value)) return value.length > 0 ? value.join(', ') : t.versions.nothing;
  return JSON.stringify(value);
}

/** How the fields of an agent and what is in them are told to people. */
export function useFieldWords(tenant: string) {
  const t = useTexts();
  const formats = useFormats(tenant);
  const names = namesOf(t);
  const known = Object.keys(names);
  const ofModels = Object.keys(modelFields(t));
  // Fields come in the order of the forms, those of models after the others, slot by slot.
  const rank = (path: string): [number, string, number] => {
    const [, slot = '', field = ''] = known.includes(path) ? [] : (MODEL.exec(path) ?? []);
    const at = known.indexOf(path);
    return [at < 0 ? known.length : at, slot, ofModels.indexOf(field)];
  };
  return {
    inOrder: (one: { path: string }, other: { path: string }) => {
      const [a, b] = [rank(one.path), rank(other.path)];
      return a[0] - b[0] || a[1].localeCompare(b[1]) || a[2] - b[2];
    },
    nameOf: (path: string) => names[path] ?? modelField(t, path) ?? path,
    textOf: (path: string, value: unknown) => textOf(t, formats, path, value),
  };
}
