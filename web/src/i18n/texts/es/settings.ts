import * as access from './settings/access';
import * as audit from './settings/audit';
import * as common from './settings/common';
import * as jobs from './settings/jobs';
import * as leaving from './settings/leaving';
import * as people from './settings/people';
import * as platform from './settings/platform';
import * as usage from './settings/usage';

export const es = {
  settings: {
    ...common.es,
    ...people.es,
    ...access.es,
    ...usage.es,
    ...audit.es,
    ...jobs.es,
    ...leaving.es,
    ...platform.es,
  },
};
