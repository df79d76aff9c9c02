import { ApiError } from '../../../api/client';
import { texts } from '../../../i18n';
import * as parts from '../../../parts/problems';

export { type Problems, problemAt } from '../../../parts/problems';

/** What is wrong with a thing of the catalogue. A name that is taken stands at what the thing is called by. */
export function problemsOf(error: unknown, title: string): parts.Problems {
  if (error instanceof ApiError && error.code === 'ALREADY_EXISTS') return { [title]: error.message };
  return parts.problemsOf(error, texts());
}
