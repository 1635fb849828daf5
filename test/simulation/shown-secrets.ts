import * as v from 'valibot';
import type { Answer } from './callers.ts';
import type { Delivery } from './receivers.ts';
import type { Scene } from './scene.ts';

interface Rotation {
  readonly workspace: string;
  readonly askedAt: number;
  /** For how long the secret signs that it replaces. */
  readonly overlap: number;
  /** Unless it was certainly refused, a secret may have been made, even if no answer came. */
  outcome: 'unknown' | 'refused' | 'shown';
  answeredAt: number;
  secret: string | undefined;
}

/** An attempt that read the settings before may still be under way. */
const LONGEST_ATTEMPT = 60_000;
const INACCURACY = 1_000;

const shownSchema = v.object({ secret: v.string() });

/** I5: every secret that signs was shown to somebody, and one that was shown signs until the time told with it. */
export class ShownSecrets {
  readonly #scene: Scene;
  readonly #rotations: Rotation[] = [];
  /** Secrets that were seen signing, beside the first ones, which nobody is shown. */
  readonly #signing = new Map<string, Set<string>>();

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  /** Asks for a rotation, and notes what its answer shows. */
  async rotate(workspace: string, overlap: number, ask: () => Promise<Answer>): Promise<void> {
    const { now } = this.#scene;
    const unknown = { outcome: 'unknown', answeredAt: Number.POSITIVE_INFINITY, secret: undefined } as const;
    const rotation: Rotation = { workspace, overlap, askedAt: now(), ...unknown };
    this.#rotations.push(rotation);
    const { status, body } = await ask();
    rotation.answeredAt = now();
    if (status >= 400 && status < 500) rotation.outcome = 'refused';
    if (status !== 200) return;
    rotation.outcome = 'shown';
    rotation.secret = v.parse(shownSchema, body).secret;
  }

  readonly judge = ({ id, at, signedWith }: Delivery): void => {
    const workspace = signedWith[0]?.workspace;
    if (workspace === undefined) return;
    const signers = signedWith.map(({ secret }) => `whsec_${secret.export().toString('base64')}`);
    const rotations = this.#rotations.filter((each) => each.workspace === workspace);
    this.#expectShown(workspace, signers, rotations);
    if (this.#scene.weather.hadWrongClocks) return;
    for (const { secret, askedAt, answeredAt } of rotations) {
      if (secret === undefined || signers.includes(secret) || at < answeredAt + LONGEST_ATTEMPT) continue;
      const others = rotations.filter(
        (each) => each.outcome !== 'refused' && each.secret !== secret && each.answeredAt > askedAt,
      );
      const ends = others.map((each) => Math.max(each.askedAt, askedAt) + each.overlap);
      if (at < Math.min(...ends) - INACCURACY)
        this.#scene.violate(
          'I5',
          `${id} is not signed with a secret of ${workspace} that was shown at ${askedAt}`,
        );
    }
  };

  #expectShown(workspace: string, signers: readonly string[], rotations: readonly Rotation[]): void {
    const seen = this.#signing.get(workspace) ?? new Set();
    this.#signing.set(workspace, seen);
    for (const secret of signers) seen.add(secret);
    const shown = new Set(rotations.map(({ secret }) => secret));
    const unshown = [...seen].filter((secret) => !shown.has(secret)).length;
    const unknown = rotations.filter(({ outcome }) => outcome === 'unknown').length;
    // The first secret signs from the beginning.
    if (unshown > unknown + 1)
      this.#scene.violate('I5', `${unshown} secrets of ${workspace} sign that nobody was shown`);
  }
}
