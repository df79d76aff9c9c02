import { counted } from '../../counted';

/** "a la 1:05", "a las 2:05". */
const atClock = (clock: string) => `${/^0?1\D/.test(clock) ? 'la' : 'las'} ${clock}`;

export const es = {
  channels: {
    title: 'Canales',
    intro: 'Los números, páginas y cuentas por los que te escriben, y quién responde en cada uno.',
    connect: 'Conectar un canal',
    list: 'Canales conectados',
    emptyTitle: 'Aún no hay canales conectados',
    emptyText:
      'Conecta tu WhatsApp, Instagram, Messenger, TikTok o tu línea de voz: lo que te escriban llega a Conversaciones y tu agente responde ahí mismo. Te guiamos paso a paso.',
    emptyAsk: 'Los conecta quien administra el negocio.',
    mainAgent: 'El agente principal',
    unknownAgent: 'Un agente',
    statuses: { active: 'Activo', paused: 'En pausa' },
    answers: (agent: string) => `Responde: ${agent}`,
    nobodyAnswers: 'Solo responden personas',
    received: (when: string) => `Último recibido: ${when}`,
    neverReceived: 'Aún no llega nada',
    sent: (when: string) => `Último enviado: ${when}`,
    neverSent: 'Aún no sale nada',
    faulty: 'No sale nada',
    faultSince: (reason: string, when: string) => `${reason} Desde: ${when}.`,
    faults: {
      key: 'La clave ya no vale: caducó o alguien la quitó. Pon una nueva.',
      permission: 'La clave no tiene los permisos que hacen falta. Crea otra que los tenga.',
      payment: 'Falta un método de pago en la cuenta de WhatsApp Business.',
      number: 'El número no está bien registrado en WhatsApp. Míralo en el Administrador de WhatsApp.',
      blocked: 'El canal bloqueó la cuenta. Míralo en su administrador.',
      code: (code: number) => `El canal no acepta lo que se envía (código ${code}).`,
      unknown: 'El canal no acepta lo que se envía.',
    },
    back: 'Ver los canales',

    steps: {
      label: 'Pasos para conectar',
      of: (at: number, all: number) => `Paso ${at} de ${all}`,
      needs: 'Qué necesitas',
      account: 'Cuenta y claves',
      webhook: 'Dirección de entrega',
      trial: 'Prueba',
      next: 'Ya lo tengo todo',
      previous: 'Volver',
      other: 'Elegir otro canal',
      toTrial: 'Ya lo pegué: probar',
      toAddress: 'Ver otra vez la dirección',
      finish: 'Ir al canal',
      toInbox: 'Ver las conversaciones',
    },
    choose: 'Elige por dónde te escriben. Puedes conectar varios, también varios números de lo mismo.',
    chooseTexts: {
      whatsapp: 'El número de tu negocio, con la API de WhatsApp Business.',
      instagram: 'Los mensajes directos de tu cuenta profesional.',
      messenger: 'Los mensajes de tu página de Facebook.',
      tiktok: 'Los mensajes directos de tu cuenta de empresa.',
      voice: 'Las llamadas, con un número de Vapi.',
    },
    needsIntro: 'Ten esto a mano. Puedes dejar esta página abierta mientras lo buscas.',
    needs: {
      whatsapp: {
        app: {
          name: 'Una app de Meta con WhatsApp',
          where:
            'developers.facebook.com › Mis apps › Crear app › De negocios, y añade el producto WhatsApp.',
        },
        number: {
          name: 'El identificador del número y el de la cuenta',
          where:
            'En la app: WhatsApp › Configuración de la API. Son dos cifras largas, una junto al número y otra como «cuenta de WhatsApp Business».',
        },
        token: {
          name: 'Una clave que no caduque',
          where:
            'business.facebook.com › Configuración › Usuarios del sistema › Generar token, con whatsapp_business_messaging y whatsapp_business_management. La que sale en la página de la API dura solo 24 horas.',
        },
        secret: {
          name: 'La clave secreta de la app',
          where: 'En la app: Configuración › Básica › Clave secreta de la app › Mostrar.',
        },
      },
      instagram: {
        app: {
          name: 'Una cuenta profesional y una app de Meta con Instagram',
          where:
            'developers.facebook.com › Mis apps › tu app › añade Instagram, con inicio de sesión de Instagram.',
        },
        number: {
          name: 'El identificador de la cuenta',
          where: 'En la app: Instagram › Configuración de la API. Está junto al nombre de tu cuenta.',
        },
        token: {
          name: 'Una clave de la cuenta',
          where:
            'En la misma página: Generar token, con instagram_business_basic e instagram_business_manage_messages. En Instagram, permite el acceso a los mensajes en los ajustes de la cuenta.',
        },
        secret: {
          name: 'La clave secreta de la app de Instagram',
          where: 'En la misma página, arriba: Clave secreta de la app de Instagram › Mostrar.',
        },
      },
      messenger: {
        app: {
          name: 'Una página de Facebook y una app de Meta con Messenger',
          where: 'developers.facebook.com › Mis apps › tu app › añade Messenger y conecta tu página.',
        },
        number: {
          name: 'El identificador de la página',
          where: 'En la app: Messenger › Configuración de la API. Está junto al nombre de tu página.',
        },
        token: {
          name: 'Una clave de la página',
          where: 'En la misma página: Generar token, con pages_messaging y pages_manage_metadata.',
        },
        secret: {
          name: 'La clave secreta de la app',
          where: 'En la app: Configuración › Básica › Clave secreta de la app › Mostrar.',
        },
      },
      tiktok: {
        app: {
          name: 'Una cuenta de empresa y el permiso de TikTok',
          where:
            'business-api.tiktok.com: pide acceso a Business Messaging. TikTok lo revisa, y no lo da a cuentas de Europa ni del Reino Unido.',
        },
        number: {
          name: 'El identificador de la cuenta',
          where: 'Al autorizar la app con tu cuenta, TikTok lo devuelve como business_id.',
        },
        token: {
          name: 'La clave de acceso',
          where: 'Llega con la misma autorización, como access_token.',
        },
        secret: {
          name: 'El secreto de la app',
          where: 'business-api.tiktok.com › Mis apps › tu app › Secreto.',
        },
      },
      voice: {
        app: {
          name: 'Una cuenta de Vapi con un número',
          where: 'dashboard.vapi.ai › Phone Numbers. Puedes comprar uno ahí o traer el tuyo.',
        },
        number: {
          name: 'El identificador del número',
          where: 'En Phone Numbers, debajo del nombre del número.',
        },
        token: {
          name: 'La clave privada',
          where: 'dashboard.vapi.ai › Organization › API Keys › Private key.',
        },
        secret: {
          name: 'Un secreto inventado por ti',
          where: 'Largo y al azar. Lo pondrás también en Vapi, para que sepamos que quien llama es Vapi.',
        },
      },
    },

    fields: {
      name: 'Cómo lo llamas',
      nameHelp: 'Para distinguirlo de los demás: «WhatsApp de Miraflores».',
      accounts: {
        whatsapp: 'Identificador del número',
        instagram: 'Identificador de la cuenta',
        messenger: 'Identificador de la página',
        tiktok: 'Identificador de la cuenta (business_id)',
        voice: 'Identificador del número',
      },
      accountHelps: {
        whatsapp: 'No es el número de teléfono: es la cifra larga que Meta le da.',
        instagram: 'No es el nombre de usuario: es la cifra larga que Meta le da.',
        messenger: 'No es el nombre de la página: es la cifra larga que Meta le da.',
        tiktok: 'No es el nombre de usuario.',
        voice: 'No es el número de teléfono: son letras y cifras con guiones.',
      },
      parent: 'Identificador de la cuenta de WhatsApp Business',
      parentHelp: 'Sirve para leer tus plantillas y saber si WhatsApp entrega aquí.',
      tokens: {
        whatsapp: 'Clave de acceso (token)',
        instagram: 'Clave de acceso (token)',
        messenger: 'Clave de acceso de la página (token)',
        tiktok: 'Clave de acceso (access_token)',
        voice: 'Clave privada',
      },
      secrets: {
        whatsapp: 'Clave secreta de la app',
        instagram: 'Clave secreta de la app de Instagram',
        messenger: 'Clave secreta de la app',
        tiktok: 'Secreto de la app',
        voice: 'Secreto que Vapi enviará',
      },
      keyHelp: 'Se guarda cifrada y nadie vuelve a verla.',
      agent: 'Quién responde',
      agentHelp: 'Puedes cambiarlo después.',
      empty: 'Hace falta.',
      badId: 'Solo lleva letras, cifras y guiones.',
      submit: 'Conectar',
      connected: (name: string) => `${name} está conectado`,
    },

    webhook: {
      title: 'Dónde entrega el canal',
      address: 'Dirección (URL)',
      verify: 'Palabra de verificación',
      copyAddress: 'Copiar la dirección',
      copyVerify: 'Copiar la palabra',
      insecure:
        'El canal solo entrega a direcciones públicas que empiezan por https. Abre Quipu por la suya y copia la dirección ahí.',
      hidden: 'La dirección la ve quien administra el negocio.',
      how: {
        whatsapp:
          'En tu app de Meta: WhatsApp › Configuración. Pega las dos en «URL de devolución de llamada» y «Token de verificación», pulsa Verificar y guardar, y suscríbete a los campos messages y smb_message_echoes.',
        instagram:
          'En tu app de Meta: Instagram › Configuración de la API › Configurar webhooks. Pega las dos, pulsa Verificar y guardar, y suscríbete a messages, messaging_postbacks y messaging_seen.',
        messenger:
          'En tu app de Meta: Messenger › Configuración de la API › Configurar webhooks. Pega las dos, pulsa Verificar y guardar, y suscribe tu página a messages, messaging_postbacks, message_echoes, message_deliveries y message_reads.',
        tiktok:
          'En business-api.tiktok.com, en los webhooks de tu app: pega la dirección para los eventos de mensajes directos.',
        voice:
          'En dashboard.vapi.ai, en tu número: pega la dirección en Server URL, y añade ahí la cabecera X-Vapi-Secret con el secreto que inventaste.',
      },
    },

    doctor: {
      title: 'Cómo está',
      intro: 'Le preguntamos al canal si todo está en su sitio.',
      run: 'Comprobar',
      again: 'Comprobar otra vez',
      running: 'Preguntando al canal…',
      list: 'Resultado de la comprobación',
      states: { good: 'Bien', bad: 'Mal', unknown: 'No se sabe' },
      keyGood: 'La clave funciona',
      keyBad: 'El canal no respondió como debe',
      seenAs: (name: string) => `Tus clientes te ven como ${name}.`,
      subscribed: 'El canal entrega aquí',
      notSubscribed: 'El canal no entrega aquí',
      notSubscribedHelp: 'Vuelve a la dirección de entrega: falta pegarla o suscribirse a los mensajes.',
      mayBeSubscribed: 'El canal no dice si entrega aquí',
      mayBeSubscribedHelp: 'Escríbele desde otro teléfono y mira si llega.',
      received: (when: string) => `Último mensaje recibido: ${when}`,
      notReceived: 'Aún no llega ningún mensaje',
      notReceivedHelp: 'Escríbele desde otro teléfono: aparece aquí en unos segundos.',
      quality: (word: string) => `Calidad: ${word}`,
      qualities: { GREEN: 'buena', YELLOW: 'media', RED: 'baja', UNKNOWN: 'aún sin calificar' },
      qualityHelp: 'Baja cuando la gente bloquea o reporta lo que envías.',
      onlyManagers: 'Lo comprueba quien gestiona los agentes.',
    },

    tabs: {
      label: 'Partes del canal',
      state: 'Estado',
      settings: 'Ajustes',
      sent: 'Enviados',
      templates: 'Plantillas',
      cost: 'Costo',
    },
    facts: {
      account: 'Identificador',
      parent: 'Cuenta que lo tiene',
      key: 'Clave',
      agent: 'Responde',
      received: 'Último recibido',
      sent: 'Último enviado',
      connected: 'Conectado',
      never: 'Nunca',
    },
    pause: 'Poner en pausa',
    resume: 'Reanudar',
    paused: 'En pausa: lo que llegue queda en Conversaciones y solo responden personas',
    resumed: 'Activo: responde el agente',
    pausedText: 'En pausa. Lo que escriben llega a Conversaciones y se guarda; solo responden personas.',

    settings: {
      answering: 'Quién y cuándo',
      debounce: 'Espera antes de responder, en segundos',
      debounceHelp: 'De 0 a 30. Lo que el cliente escriba en ese tiempo recibe una sola respuesta.',
      returns: 'El agente vuelve después de, en minutos',
      returnsHelp:
        'Cuando una persona responde, el agente calla. Si nadie escribe en este tiempo, vuelve. Con 0 no vuelve solo. Como mucho, 10 080, que son siete días.',
      typing: 'Mostrar que se leyó y que se está escribiendo',
      typingHelp: 'El cliente ve las marcas de leído y «escribiendo…».',
      country: 'País de los números sin código',
      countryHelp: 'Para reconocer al mismo cliente cuando su número llega sin el código del país.',
      reminder: 'Plantilla para recordar citas',
      reminderHelp:
        'Se envía cuando el cliente escribió hace más de 24 horas. Se llena con su nombre, el servicio, la fecha, la hora y la sede, en ese orden.',
      reminderNone: 'Ninguna: no se recuerda fuera de las 24 horas',
      reminderHoles: (holes: number) =>
        `Esta plantilla tiene ${counted(holes, 'hueco')} y el recordatorio llena 5: el canal no la aceptará.`,
      saved: 'Canal guardado',
      readOnly: 'Puedes verlo. Lo cambia quien administra el negocio.',
      key: 'Clave',
      keyText: (hint: string) => `La clave guardada termina en ${hint}. Nadie puede verla entera.`,
      newKey: 'Cambiar la clave',
      newKeyTitle: (name: string) => `Nueva clave de ${name}`,
      keyKept: 'Déjalo vacío para conservar la que hay.',
      keyNeeded: 'Escribe al menos una de las dos.',
      keySaved: 'Clave cambiada',
      end: 'Desconectar',
      endHelp: 'Deja de recibir y de enviar por este canal.',
      endTitle: (name: string) => `¿Desconectar ${name}?`,
      endText: (name: string) =>
        `Se borran la clave de ${name}, su dirección de entrega y el registro de lo enviado. Lo que te escriban por ahí ya no llega, y nada sale. Las conversaciones y los clientes se quedan. No se puede deshacer.`,
      ended: (name: string) => `${name} está desconectado`,
    },

    sentLog: {
      intro: 'Lo que salió por este canal y hasta dónde llegó, lo más reciente primero.',
      filter: 'Estado',
      all: 'Todos',
      emptyTitle: 'Nada por aquí',
      emptyText: 'Lo que respondan tus agentes y tu equipo por este canal aparece en esta lista.',
      noneText: 'Ningún mensaje está en ese estado.',
      seeThread: 'Ver la conversación',
      template: (name: string) => `Plantilla ${name}`,
      file: 'Archivo',
      code: (code: number) => `código ${code}`,
      attempts: (count: number) => counted(count, 'intento'),
      byPerson: 'Lo escribió una persona',
    },
    states: {
      waiting: 'Esperando',
      sending: 'Enviando',
      sent: 'Enviado',
      delivered: 'Entregado',
      read: 'Leído',
      failed: 'No llegó',
    },
    failedBecause: (reason: string) => `No llegó: ${reason}`,
    waitsBecause: (reason: string) => `Se intenta otra vez: ${reason}`,

    templates: {
      intro: 'Las que tu cuenta tiene en WhatsApp. Se crean y se aprueban en el administrador de WhatsApp.',
      emptyTitle: 'No hay plantillas',
      emptyText:
        'Créalas en business.facebook.com › Administrador de WhatsApp › Plantillas. Sirven para escribir a quien no te escribe hace más de 24 horas.',
      statuses: {
        APPROVED: 'Aprobada',
        PENDING: 'En revisión',
        REJECTED: 'Rechazada',
        PAUSED: 'En pausa',
        DISABLED: 'Desactivada',
      },
      categories: {
        UTILITY: 'Utilidad',
        MARKETING: 'Marketing',
        AUTHENTICATION: 'Autenticación',
      },
      noText: 'Sin texto',
      refresh: 'Leerlas otra vez',
      send: 'Enviar plantilla',
      sendTitle: (name: string) => `Enviar una plantilla a ${name}`,
      sendIntro: 'Es lo único que le llega a quien escribió hace más de 24 horas. WhatsApp la cobra.',
      choose: 'Plantilla',
      chooseHelp: 'Solo las aprobadas.',
      none: 'Tu cuenta no tiene plantillas aprobadas.',
      hole: (at: number) => `Hueco {{${at}}}`,
      tooMany: 'Tiene más de 20 huecos: envíala desde el administrador de WhatsApp.',
      preview: 'Así la recibe',
      takesOver: 'Al enviarla, tomas la conversación.',
      sent: 'Plantilla en camino',
    },

    cost: {
      intro:
        'Lo que cobra el canal, según sus tarifas conocidas. Los meses son los de la hora universal, como cobran los canales.',
      month: 'Mes',
      messages: 'Mensajes enviados',
      charged: 'Cobrados',
      total: 'Costo del mes',
      unknown: (count: number) =>
        count === 1
          ? '1 mensaje cobrado no tiene tarifa conocida y no está en la suma.'
          : `${count} mensajes cobrados no tienen tarifa conocida y no están en la suma.`,
      nothing: 'Ese mes no salió nada por este canal.',
    },

    thread: {
      about: 'Canal de la conversación',
      through: (name: string) => `Por ${name}`,
      openUntil: (clock: string) => `Puedes escribir hasta ${atClock(clock)}`,
      openTomorrow: (clock: string) => `Puedes escribir hasta mañana a ${atClock(clock)}`,
      openDate: (when: string) => `Puedes escribir hasta el ${when}`,
      openPeople: 'Solo una persona puede escribirle ahora',
      closed: 'Ventana cerrada',
      closedFor: (channel: string) =>
        `El cliente escribió hace más de lo que ${channel} permite: el texto libre no le llega.`,
      closedTemplates: 'Envíale una plantilla aprobada, o espera a que escriba.',
      closedWait: 'Espera a que escriba.',
      optedOut: 'Pidió no recibir mensajes que no pidió',
      free: 'Sin costo hasta ahora',
      cost: (amount: string) => `Costo: ${amount}`,
      costBut: (amount: string, count: number) =>
        `Costo: ${amount}, y ${counted(count, 'mensaje')} sin tarifa conocida`,
      returnsIn: (span: string) => `El agente vuelve en ${span}`,
      returnsSoon: 'El agente vuelve en menos de un minuto',
      returnsNow: 'El agente vuelve ahora',
      minutes: (minutes: number) => `${minutes} min`,
      hours: (hours: number, minutes: number) => (minutes ? `${hours} h ${minutes} min` : `${hours} h`),
      days: (days: number, hours: number) => (hours ? `${days} d ${hours} h` : `${days} d`),
      byPhone: 'Alguien desde el teléfono',
      fromPhone: 'Escrito desde el teléfono',
      options: 'Opciones que ve el cliente',
    },
  },
};
