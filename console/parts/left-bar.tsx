import { usd } from './format.ts';

interface LeftBarProps {
  readonly name: string;
  readonly used: number;
  readonly limit: number;
  /** @default as money */
  readonly inWords?: (amount: number) => string;
}

/** How much of a limit is used, and what is left of it. */
export function LeftBar({ name, used, limit, inWords = usd }: LeftBarProps) {
  const left = Math.max(0, limit - used);
  return (
    <div class="left-bar">
      <meter
        aria-label={`${name}: used`}
        min={0}
        max={limit}
        high={limit * 0.8}
        optimum={0}
        value={Math.min(used, limit)}
      />
      <small>
        {inWords(left)} left of {inWords(limit)}
      </small>
    </div>
  );
}
