import type { Scene } from './scene.ts';

export type Random = () => number;

/** What somebody does, or what happens around the stage. */
export interface Command {
  readonly do: string;
  readonly act: (scene: Scene) => unknown;
}

/** A kind of commands, and its weight in the draw. A command is drawn before anybody knows what there is when it runs. */
export function command<const Fields extends object>(
  name: string,
  weight: number,
  draw: (random: Random) => Fields,
  act: (scene: Scene, fields: Fields) => unknown,
) {
  const of = (fields: Fields): Command => ({ do: name, ...fields, act: (scene) => act(scene, fields) });
  return { weight, of, draw: (random: Random) => of(draw(random)) };
}

export const PLACES = 3;
export const HOSTS = ['hooks.one.com', 'hooks.two.com'] as const;

export const pick = <const T>(random: Random, from: readonly [T, ...T[]]): T =>
  from[Math.floor(random() * from.length)] ?? from[0];
export const nat = (random: Random): number => Math.floor(random() * 2 ** 31);
/** The number of a place, where tenants come and go. */
export const placeOf = (random: Random): number => Math.floor(random() * PLACES);

export const ofOne = (random: Random) => ({ at: nat(random) });
export const ofOneForAny = (random: Random) => ({
  at: nat(random),
  ...(random() < 0.2 ? { place: placeOf(random) } : {}),
});
export const ofPlace = (random: Random) => ({ place: placeOf(random) });
export const plain = () => ({});

/** One of the things that exist, for the number in a command. */
export const chosen = <T>(from: readonly T[], at: number): T | undefined =>
  from[at % Math.max(1, from.length)];
