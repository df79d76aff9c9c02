import type { Widened } from '../../widened';
import type { es } from '../es/settings';

import * as access from './settings/access';
import * as audit from './settings/audit';
import * as common from './settings/common';
import * as jobs from './settings/jobs';
import * as leaving from './settings/leaving';
import * as people from './settings/people';
import * as platform from './settings/platform';
import * as usage from './settings/usage';

export const en: Widened<typeof es> = {
  settings: {
    ...common.en,
    ...people.en,
    ...access.en,
    ...usage.en,
    ...audit.en,
    ...jobs.en,
    ...leaving.en,
    ...platform.en,
  },
};
