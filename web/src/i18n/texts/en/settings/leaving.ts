import type { Widened } from '../../../widened';
import type { es } from '../../es/settings/leaving';

export const en: Widened<typeof es> = {
  leaving: {
    intro: 'Take a copy of everything, or delete the business.',
    export: 'Take your data',
    exportText:
      'A tar.gz file with everything: agents, catalogue, customers, conversations, appointments, orders, knowledge and the original files. Each table is in lines of JSON.',
    exportLeavesOut: 'Keys, secrets and the personal knowledge of other people are not in it.',
    exportNow: 'Download everything',
    exporting: (size) => `Received: ${size}`,
    exported: 'Your copy is among the downloads',
    end: 'Delete the business',
    endText: 'It is deleted for ever, with everything it has. Download a copy first.',
    endOpen: 'Delete this business',
    goes: 'This goes',
    goesNothing: 'Nothing is stored yet: the business goes with its team, its keys and its settings.',
    endType: (name) => `Write “${name}” to confirm`,
  },
};
