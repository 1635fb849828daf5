import { styleFor, visible } from './text.ts';

/** Reports the steps of a start. */
export interface Progress {
  /** Shows the step during the work, and then how long it took. */
  step<Result>(title: string, work: (detail: (text: string) => void) => Promise<Result>): Promise<Result>;
}

export const silentProgress: Progress = { step: (_title, work) => work(() => undefined) };

interface TextStream {
  readonly isTTY?: boolean;
  readonly columns?: number | undefined;
  hasColors?(): boolean;
  write(text: string): unknown;
}

const BACK_AND_CLEAR = '\r\u001b[2K';

/** On a terminal, one line for each step, which is rewritten. Elsewhere, one line at its start and one at its end. */
export function textProgress(out: TextStream, now: () => number): Progress {
  const style = styleFor(out);
  return { step: out.isTTY ? terminalStep : plainStep };

  async function terminalStep<Result>(
    title: string,
    work: (detail: (text: string) => void) => Promise<Result>,
  ) {
    const started = now();
    const show = (mark: string, text: string) => out.write(`${BACK_AND_CLEAR}${mark} ${text}`);
    const width = (out.columns || 80) - 4;
    show(style('cyan', '…'), title);
    try {
      const result = await work((detail) =>
        show(style('cyan', '…'), visible(`${title}: ${detail}`).slice(0, width)),
      );
      show(style('green', '✓'), `${title} ${style('dim', seconds(now() - started))}\n`);
      return result;
    } catch (error) {
      show(style('red', '✗'), `${title}\n`);
      throw error;
    }
  }

  async function plainStep<Result>(title: string, work: (detail: (text: string) => void) => Promise<Result>) {
    const started = now();
    out.write(`… ${title}\n`);
    try {
      const result = await work(() => undefined);
      out.write(`✓ ${title} (${seconds(now() - started)})\n`);
      return result;
    } catch (error) {
      out.write(`✗ ${title}\n`);
      throw error;
    }
  }
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
