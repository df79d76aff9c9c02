import { counted } from '../../counted';
import type { Widened } from '../../widened';
import type { es } from '../es/channels';

export const en: Widened<typeof es> = {
  channels: {
    title: 'Channels',
    intro: 'The numbers, pages and accounts that people write to, and who answers on each.',
    connect: 'Connect a channel',
    list: 'Connected channels',
    emptyTitle: 'No channels are connected yet',
    emptyText:
      'Connect your WhatsApp, Instagram, Messenger, TikTok or voice line: what people write arrives in Conversations, and your agent answers right there. You are taken through it step by step.',
    emptyAsk: 'Whoever administers the business connects them.',
    mainAgent: 'The main agent',
    unknownAgent: 'An agent',
    statuses: { active: 'Active', paused: 'Paused' },
    answers: (agent) => `Answers: ${agent}`,
    nobodyAnswers: 'Only people answer',
    received: (when) => `Last received: ${when}`,
    neverReceived: 'Nothing has arrived yet',
    sent: (when) => `Last sent: ${when}`,
    neverSent: 'Nothing has been sent yet',
    faulty: 'Nothing goes out',
    faultSince: (reason, when) => `${reason} Since: ${when}.`,
    faults: {
      key: 'The key is no longer valid: it expired or somebody removed it. Set a new one.',
      permission: 'The key lacks permissions that it needs. Make another one that has them.',
      payment: 'The WhatsApp Business account lacks a way to pay.',
      number: 'The number is not registered well with WhatsApp. Look into the WhatsApp Manager.',
      blocked: 'The channel has blocked the account. Look into its manager.',
      code: (code) => `The channel does not take what is sent (code ${code}).`,
      unknown: 'The channel does not take what is sent.',
    },
    back: 'See the channels',

    steps: {
      label: 'Steps to connect',
      of: (at, all) => `Step ${at} of ${all}`,
      needs: 'What you need',
      account: 'Account and keys',
      webhook: 'Delivery address',
      trial: 'Test',
      next: 'I have it all',
      previous: 'Back',
      other: 'Choose another channel',
      toTrial: 'I pasted it: test',
      toAddress: 'See the address again',
      finish: 'Go to the channel',
      toInbox: 'See the conversations',
    },
    choose:
      'Choose where people write to you. You can connect several, also several numbers of the same kind.',
    chooseTexts: {
      whatsapp: 'The number of your business, with the WhatsApp Business API.',
      instagram: 'The direct messages of your professional account.',
      messenger: 'The messages of your Facebook page.',
      tiktok: 'The direct messages of your business account.',
      voice: 'Telephone calls, with a number at Vapi.',
    },
    needsIntro: 'Have this at hand. You can leave this page open while you look for it.',
    needs: {
      whatsapp: {
        app: {
          name: 'A Meta app with WhatsApp',
          where: 'developers.facebook.com › My Apps › Create App › Business, and add the product WhatsApp.',
        },
        number: {
          name: 'The ids of the number and of the account',
          where:
            'In the app: WhatsApp › API Setup. They are two long figures, one beside the number and one as “WhatsApp Business Account”.',
        },
        token: {
          name: 'A key that does not expire',
          where:
            'business.facebook.com › Settings › System users › Generate token, with whatsapp_business_messaging and whatsapp_business_management. The one on the API page lasts for 24 hours only.',
        },
        secret: {
          name: 'The app secret',
          where: 'In the app: Settings › Basic › App secret › Show.',
        },
      },
      instagram: {
        app: {
          name: 'A professional account and a Meta app with Instagram',
          where: 'developers.facebook.com › My Apps › your app › add Instagram, with Instagram login.',
        },
        number: {
          name: 'The id of the account',
          where: 'In the app: Instagram › API setup. It stands beside the name of your account.',
        },
        token: {
          name: 'A key of the account',
          where:
            'On the same page: Generate token, with instagram_business_basic and instagram_business_manage_messages. On Instagram, allow access to messages in the settings of the account.',
        },
        secret: {
          name: 'The Instagram app secret',
          where: 'On the same page, at the top: Instagram app secret › Show.',
        },
      },
      messenger: {
        app: {
          name: 'A Facebook page and a Meta app with Messenger',
          where: 'developers.facebook.com › My Apps › your app › add Messenger and connect your page.',
        },
        number: {
          name: 'The id of the page',
          where: 'In the app: Messenger › API Settings. It stands beside the name of your page.',
        },
        token: {
          name: 'A key of the page',
          where: 'On the same page: Generate token, with pages_messaging and pages_manage_metadata.',
        },
        secret: {
          name: 'The app secret',
          where: 'In the app: Settings › Basic › App secret › Show.',
        },
      },
      tiktok: {
        app: {
          name: 'A business account and the permission of TikTok',
          where:
            'business-api.tiktok.com: ask for access to Business Messaging. TikTok reviews it, and gives it to no accounts of Europe or the United Kingdom.',
        },
        number: {
          name: 'The id of the account',
          where: 'When you authorise the app with your account, TikTok returns it as business_id.',
        },
        token: {
          name: 'The access key',
          where: 'It comes with the same authorisation, as access_token.',
        },
        secret: {
          name: 'The secret of the app',
          where: 'business-api.tiktok.com › My Apps › your app › Secret.',
        },
      },
      voice: {
        app: {
          name: 'A Vapi account with a number',
          where: 'dashboard.vapi.ai › Phone Numbers. You can buy one there or bring your own.',
        },
        number: {
          name: 'The id of the number',
          where: 'In Phone Numbers, below the name of the number.',
        },
        token: {
          name: 'The private key',
          where: 'dashboard.vapi.ai › Organization › API Keys › Private key.',
        },
        secret: {
          name: 'A secret that you make up',
          where: 'Long and random. You set it at Vapi too, so that we know that it is Vapi who calls.',
        },
      },
    },

    fields: {
      name: 'What you call it',
      nameHelp: 'To tell it from the others: “WhatsApp of Miraflores”.',
      accounts: {
        whatsapp: 'Phone number id',
        instagram: 'Account id',
        messenger: 'Page id',
        tiktok: 'Account id (business_id)',
        voice: 'Phone number id',
      },
      accountHelps: {
        whatsapp: 'Not the telephone number: the long figure that Meta gives it.',
        instagram: 'Not the user name: the long figure that Meta gives it.',
        messenger: 'Not the name of the page: the long figure that Meta gives it.',
        tiktok: 'Not the user name.',
        voice: 'Not the telephone number: letters and digits with hyphens.',
      },
      parent: 'WhatsApp Business Account id',
      parentHelp: 'It is needed to read your templates and to know whether WhatsApp delivers here.',
      tokens: {
        whatsapp: 'Access key (token)',
        instagram: 'Access key (token)',
        messenger: 'Access key of the page (token)',
        tiktok: 'Access key (access_token)',
        voice: 'Private key',
      },
      secrets: {
        whatsapp: 'App secret',
        instagram: 'Instagram app secret',
        messenger: 'App secret',
        tiktok: 'Secret of the app',
        voice: 'Secret that Vapi will send',
      },
      keyHelp: 'It is stored encrypted and nobody sees it again.',
      agent: 'Who answers',
      agentHelp: 'You can change it later.',
      empty: 'This is needed.',
      badId: 'It has letters, digits and hyphens only.',
      submit: 'Connect',
      connected: (name) => `${name} is connected`,
    },

    webhook: {
      title: 'Where the channel delivers',
      address: 'Address (URL)',
      verify: 'Verify token',
      copyAddress: 'Copy the address',
      copyVerify: 'Copy the token',
      insecure:
        'The channel delivers only to public addresses that begin with https. Open Quipu by its own and copy the address there.',
      hidden: 'Whoever administers the business sees the address.',
      how: {
        whatsapp:
          'In your Meta app: WhatsApp › Configuration. Paste both into “Callback URL” and “Verify token”, press Verify and save, and subscribe to the fields messages and smb_message_echoes.',
        instagram:
          'In your Meta app: Instagram › API setup › Configure webhooks. Paste both, press Verify and save, and subscribe to messages, messaging_postbacks and messaging_seen.',
        messenger:
          'In your Meta app: Messenger › API Settings › Configure webhooks. Paste both, press Verify and save, and subscribe your page to messages, messaging_postbacks, message_echoes, message_deliveries and message_reads.',
        tiktok:
          'At business-api.tiktok.com, in the webhooks of your app: paste the address for direct messages.',
        voice:
          'At dashboard.vapi.ai, at your number: paste the address into Server URL, and add the header X-Vapi-Secret there with the secret that you made up.',
      },
    },

    doctor: {
      title: 'How it is doing',
      intro: 'We ask the channel whether everything is in its place.',
      run: 'Check',
      again: 'Check again',
      running: 'Asking the channel…',
      list: 'Result of the check',
      states: { good: 'Good', bad: 'Bad', unknown: 'Not known' },
      keyGood: 'The key works',
      keyBad: 'The channel did not answer as it should',
      seenAs: (name) => `Customers see you as ${name}.`,
      subscribed: 'The channel delivers here',
      notSubscribed: 'The channel does not deliver here',
      notSubscribedHelp:
        'Go back to the delivery address: it is not pasted, or messages are not subscribed to.',
      mayBeSubscribed: 'The channel does not say whether it delivers here',
      mayBeSubscribedHelp: 'Write to it from another telephone and see whether it arrives.',
      received: (when) => `Last message received: ${when}`,
      notReceived: 'No message has arrived yet',
      notReceivedHelp: 'Write to it from another telephone: it appears here within seconds.',
      quality: (word) => `Quality: ${word}`,
      qualities: { GREEN: 'good', YELLOW: 'medium', RED: 'low', UNKNOWN: 'not rated yet' },
      qualityHelp: 'It falls when people block or report what you send.',
      onlyManagers: 'Whoever manages the agents checks it.',
    },

    tabs: {
      label: 'Parts of the channel',
      state: 'State',
      settings: 'Settings',
      sent: 'Sent',
      templates: 'Templates',
      cost: 'Cost',
    },
    facts: {
      account: 'Id',
      parent: 'Account that holds it',
      key: 'Key',
      agent: 'Answers',
      received: 'Last received',
      sent: 'Last sent',
      connected: 'Connected',
      never: 'Never',
    },
    pause: 'Pause',
    resume: 'Resume',
    paused: 'Paused: what arrives stays in Conversations and only people answer',
    resumed: 'Active: the agent answers',
    pausedText: 'Paused. What people write arrives in Conversations and is kept; only people answer.',

    settings: {
      answering: 'Who and when',
      debounce: 'Wait before answering, in seconds',
      debounceHelp: 'From 0 to 30. What the customer writes within that time gets one answer.',
      returns: 'The agent returns after, in minutes',
      returnsHelp:
        'When a person answers, the agent is silent. If nobody writes for this long, it returns. With 0 it does not return by itself. At most 10,080, which are seven days.',
      typing: 'Show that it was read and that somebody is typing',
      typingHelp: 'The customer sees the read marks and “typing…”.',
      country: 'Country of numbers without a code',
      countryHelp: 'To know the same customer when their number comes without the code of the country.',
      reminder: 'Template that reminds of appointments',
      reminderHelp:
        'It is sent when the customer wrote more than 24 hours ago. It is filled with their name, the service, the date, the time and the place, in this order.',
      reminderNone: 'None: nobody is reminded outside the 24 hours',
      reminderHoles: (holes) =>
        `This template has ${counted(holes, 'gap')} and the reminder fills 5: the channel will not take it.`,
      saved: 'Channel saved',
      readOnly: 'You can see it. Whoever administers the business changes it.',
      key: 'Key',
      keyText: (hint) => `The stored key ends in ${hint}. Nobody can see all of it.`,
      newKey: 'Change the key',
      newKeyTitle: (name) => `New key of ${name}`,
      keyKept: 'Leave it empty to keep the one there is.',
      keyNeeded: 'Write at least one of the two.',
      keySaved: 'Key changed',
      end: 'Disconnect',
      endHelp: 'It stops receiving and sending through this channel.',
      endTitle: (name) => `Disconnect ${name}?`,
      endText: (name) =>
        `The key of ${name}, its delivery address and the log of what was sent are deleted. What people write there no longer arrives, and nothing goes out. Conversations and customers stay. This cannot be undone.`,
      ended: (name) => `${name} is disconnected`,
    },

    sentLog: {
      intro: 'What went out through this channel and how far it came, the latest first.',
      filter: 'State',
      all: 'All',
      emptyTitle: 'Nothing here',
      emptyText: 'What your agents and your team answer through this channel appears in this list.',
      noneText: 'No message is in that state.',
      seeThread: 'See the conversation',
      template: (name) => `Template ${name}`,
      file: 'File',
      code: (code) => `code ${code}`,
      attempts: (count) => counted(count, 'attempt'),
      byPerson: 'Written by a person',
    },
    states: {
      waiting: 'Waiting',
      sending: 'Sending',
      sent: 'Sent',
      delivered: 'Delivered',
      read: 'Read',
      failed: 'Not delivered',
    },
    failedBecause: (reason) => `Not delivered: ${reason}`,
    waitsBecause: (reason) => `It is tried again: ${reason}`,

    templates: {
      intro: 'Those that your account has at WhatsApp. They are made and approved in the WhatsApp Manager.',
      emptyTitle: 'There are no templates',
      emptyText:
        'Make them at business.facebook.com › WhatsApp Manager › Templates. They reach whoever has not written to you for more than 24 hours.',
      statuses: {
        APPROVED: 'Approved',
        PENDING: 'In review',
        REJECTED: 'Rejected',
        PAUSED: 'Paused',
        DISABLED: 'Disabled',
      },
      categories: {
        UTILITY: 'Utility',
        MARKETING: 'Marketing',
        AUTHENTICATION: 'Authentication',
      },
      noText: 'No text',
      refresh: 'Read them again',
      send: 'Send a template',
      sendTitle: (name) => `Send a template to ${name}`,
      sendIntro: 'Nothing else reaches whoever wrote more than 24 hours ago. WhatsApp charges it.',
      choose: 'Template',
      chooseHelp: 'Only the approved ones.',
      none: 'Your account has no approved templates.',
      hole: (at) => `Gap {{${at}}}`,
      tooMany: 'It has more than 20 gaps: send it from the WhatsApp Manager.',
      preview: 'How they receive it',
      takesOver: 'By sending it you take the conversation over.',
      sent: 'The template is on its way',
    },

    cost: {
      intro:
        'What the channel charges, by its known rates. Months are those of universal time, as channels charge.',
      month: 'Month',
      messages: 'Messages sent',
      charged: 'Charged',
      total: 'Cost of the month',
      unknown: (count) =>
        count === 1
          ? '1 charged message has no known rate and is not in the sum.'
          : `${count} charged messages have no known rate and are not in the sum.`,
      nothing: 'Nothing went out through this channel that month.',
    },

    thread: {
      about: 'Channel of the conversation',
      through: (name) => `Through ${name}`,
      openUntil: (clock) => `You can write until ${clock}`,
      openTomorrow: (clock) => `You can write until ${clock} tomorrow`,
      openDate: (when) => `You can write until ${when}`,
      openPeople: 'Only a person can write to them now',
      closed: 'Window closed',
      closedFor: (channel) =>
        `The customer wrote longer ago than ${channel} allows: free text does not reach them.`,
      closedTemplates: 'Send an approved template, or wait until they write.',
      closedWait: 'Wait until they write.',
      optedOut: 'They asked for no messages that they did not ask for',
      free: 'No cost so far',
      cost: (amount) => `Cost: ${amount}`,
      costBut: (amount, count) => `Cost: ${amount}, and ${counted(count, 'message')} without a known rate`,
      returnsIn: (span) => `The agent returns in ${span}`,
      returnsSoon: 'The agent returns in less than a minute',
      returnsNow: 'The agent returns now',
      minutes: (minutes) => `${minutes} min`,
      hours: (hours, minutes) => (minutes ? `${hours} h ${minutes} min` : `${hours} h`),
      days: (days, hours) => (hours ? `${days} d ${hours} h` : `${days} d`),
      byPhone: 'Somebody on the telephone',
      fromPhone: 'Written on the telephone',
      options: 'Options that the customer sees',
    },
  },
};
