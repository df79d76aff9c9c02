/** A time that stays on one line: "4:06 p. m." is never cut before its "m.". */
export const unbroken = (time: string) => time.replace(/ (?=[ap]\.? ?m\b)|(?<=\b[ap]\.) (?=m\b)/gi, '\u00a0');
