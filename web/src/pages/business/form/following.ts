import { useEffect, useRef } from 'react';
import { same } from './values';

type Followed<V> = {
  isDirty: () => boolean;
  /** Has the form begin anew with other values. */
  begin: (values: V) => void;
};
/** The values of a form, and which state of what is edited they come from, where states are told apart. */
type Beginning<V> = { values: V; revision: string | null };

/**
 * Shows what others write as long as nothing was typed here. Returns what the form began with, with which
 * what was typed is compared, and what takes the newest.
 */
export function useFollowing<V>(form: Followed<V>, values: V, revision: string | null = null) {
  const newest = useRef<Beginning<V>>({ values, revision });
  newest.current = { values, revision };
  const began = useRef(newest.current);
  // What was saved here is known before it is read again: until then what is read is no news.
  const offered = useRef(newest.current);
  const take = (taken: V, of: string | null = null) => {
    offered.current = newest.current;
    began.current = { values: taken, revision: of };
    form.begin(taken);
  };
  const load = () => take(newest.current.values, newest.current.revision);
  useEffect(() => {
    if (!same(offered.current, newest.current) && !form.isDirty()) load();
  });
  return { began, take, load };
}

type Form<V> = { isDirty: () => boolean; setInitialValues: (values: V) => void; reset: () => void };

/** A form of Mantine, as it is followed. */
export const followed = <V>(form: Form<V>): Followed<V> => ({
  isDirty: () => form.isDirty(),
  begin: (values) => {
    form.setInitialValues(values);
    form.reset();
  },
});
