import type { Construct } from 'constructs';

type Kind<T> = abstract new (...args: never[]) => T;

/** The construct of this kind that is the nearest child of an ancestor of `scope`: what all parts of one deployment share. */
export const nearest = <T extends Construct>(scope: Construct, kind: Kind<T>): T | undefined =>
  scope.node.scopes
    .toReversed()
    .flatMap(({ node }) => node.children)
    .find((child): child is T => child instanceof kind);
