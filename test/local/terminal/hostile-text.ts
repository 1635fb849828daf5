/**
 * Characters that outside text may contain: ESC, CR, LF, both ranges of control characters, and changes of the writing
 * direction.
 */
export const HOSTILE =
  'x\u001b[2J\r\n12:00:00 INFO  forged\u0000\u0007\u007f\u0085\u009b31m\u2028\u2029\u202egpj.exe\u2066\u200f';

/** The same text as it is shown: complete, and without anything that a terminal would obey. */
export const SHOWN =
  'x\\u001b[2J\\u000d\\u000a12:00:00 INFO  forged\\u0000\\u0007\\u007f\\u0085\\u009b31m\\u2028\\u2029\\u202egpj.exe\\u2066\\u200f';

/** Written here a second time, so that these tests do not depend on the rule that they check. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
export const OBEYED = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
