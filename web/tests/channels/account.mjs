// An account that is nowhere but at the stand-ins, and somebody who writes to it.

export const NAME = 'WhatsApp de recepción';

export const ACCOUNT = {
  channel: 'whatsapp',
  account_id: '106540352242922',
  parent_id: '102290129340398',
  token: 'EAAG-made-up-token',
  app_secret: 'made-up-app-secret',
};

export const ROSA = { id: '51987654321', name: 'Rosa Quispe' };
