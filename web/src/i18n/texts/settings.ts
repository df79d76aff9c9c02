import type { Widened } from '../widened';

export const es = {
  settings: {
    title: 'Ajustes',
    business: 'Negocio',
    locale: 'Idioma y región',
    timeZone: 'Zona horaria',
    sessions: 'Tus sesiones',
    thisOne: 'esta',
    end: 'Cerrar',
    plan: 'Plan',
  },
};

export const en: Widened<typeof es> = {
  settings: {
    title: 'Settings',
    business: 'Business',
    locale: 'Language and region',
    timeZone: 'Time zone',
    sessions: 'Your sessions',
    thisOne: 'this one',
    end: 'End',
    plan: 'Plan',
  },
};
