import { type ComponentChildren, Fragment } from 'preact';
import { dateTime, exactTime, usd, words } from './format.ts';

type Fact = readonly [name: string, value: ComponentChildren];

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

/** The figures that are read first, each with what stands below it. */
export function Totals({
  facts,
}: {
  readonly facts: readonly (readonly [...Fact, below?: ComponentChildren])[];
}) {
  return (
    <dl class="totals">
      {facts.map(([name, value, below]) => (
        <div key={name} class="card">
          <dt>{name}</dt>
          <dd>
            {value}
            {below}
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface LimitBarProps {
  readonly name: string;
  /** When all of it is there again, such as `per day`. */
  readonly per?: string | undefined;
  readonly used: number;
  readonly limit: number;
  /** What takes a part of it. @default spending and holds */
  readonly taken?: string;
  /** @default as money */
  readonly inWords?: (amount: number) => string;
}

/** How much of a limit is taken. */
export function LimitBar({ name, used, limit, per, taken = 'used or held', inWords = usd }: LimitBarProps) {
  return (
    <div class="gauge">
      <meter
        aria-label={`${name}: ${taken}`}
        min={0}
        max={limit}
        high={limit * 0.8}
        optimum={0}
        value={Math.min(used, limit)}
      />
      <small>
        {inWords(used)} {taken} of {inWords(limit)} {per}
      </small>
    </div>
  );
}

/** The word says it; the colour only repeats it. */
export function StatusBadge({ status }: { readonly status: string }) {
  return <span class={`badge ${status}`}>{words(status)}</span>;
}

/** A moment in the reader's time, or a day in UTC; the tooltip names the time zone. */
export const When = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={exactTime(at)}>
    {dateTime(at)}
  </time>
);

/** A key together with that of commands. */
export const Shortcut = ({ name }: { readonly name: string }) => (
  <kbd>
    {navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl'} {name}
  </kbd>
);
