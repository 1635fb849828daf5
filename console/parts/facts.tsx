import { type ComponentChildren, Fragment } from 'preact';

export type Fact = readonly [name: string, value: ComponentChildren];

/** A list of names and values. A value of null or undefined is left out. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  const known = facts.filter(([, value]) => value !== undefined && value !== null);
  return (
    <dl class="facts-list">
      {known.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
