/** The result of one check of doctor. */
export interface Finding {
  readonly about: string;
  /** With a fault the deployment would fail or go wrong. A note is only good to know. */
  readonly kind: 'ok' | 'note' | 'fault';
  /** What was found; for a fault or a note, what to do. */
  readonly text: string;
}

export const ok = (about: string, text: string): Finding => ({ about, kind: 'ok', text });
export const note = (about: string, text: string): Finding => ({ about, kind: 'note', text });
export const fault = (about: string, text: string): Finding => ({ about, kind: 'fault', text });

/** `fault  bootstrap    …` */
export const findingLine = ({ about, kind, text }: Finding): string =>
  `${kind.padEnd(5)}  ${about.padEnd(11)}  ${text}`;
