import type { SavedAgent } from '../queries';
import { draftOf } from './providers';

export const SLOTS = ['model', 'fallback_model', 'voice_model', 'experiment'] as const;
export type Slot = (typeof SLOTS)[number];
export type ModelValues = ReturnType<typeof draftsOf>;

/** The models of an agent as their form has them. */
export function draftsOf({ settings }: SavedAgent) {
  const tried = settings.experiment?.model;
  return {
    model: draftOf(settings.model, true),
    fallback_model: draftOf(settings.fallback_model, settings.fallback_model != null),
    voice_model: draftOf(settings.voice_model, settings.voice_model != null),
    experiment: draftOf(tried, tried != null),
  };
}

/** Where the settings have the model of a slot. */
export const fieldOf = (slot: Slot) =>
  slot === 'experiment' ? 'settings.experiment.model' : `settings.${slot}`;
