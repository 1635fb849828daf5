import { ValidationFailed } from './errors.ts';

/** `digits` times ten to the power of `exponent`. The last digit is never 0. */
export interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

const MOST_DIGITS = 38;
const LARGEST_POWER = 125;
const SMALLEST_POWER = -130;

const ZERO: Decimal = { digits: 0n, exponent: 0 };

/** @throws ValidationFailed if DynamoDB could not store every digit */
export function parseDecimal(text: string): Decimal {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text);
  const [, sign = '', whole = '', fraction = '', power = '0'] = match ?? [];
  if (whole + fraction === '') {
    throw new ValidationFailed(`The parameter cannot be converted to a numeric value: ${text}`);
  }
  const digits = BigInt(sign + whole + fraction);
  return withinRange(normalize(digits, Number(power) - fraction.length));
}

function normalize(digits: bigint, exponent: number): Decimal {
  if (digits === 0n) return ZERO;
  const text = digits.toString();
  const zeros = text.length - text.replace(/0+$/, '').length;
  return { digits: BigInt(text.slice(0, text.length - zeros)), exponent: exponent + zeros };
}

function withinRange(decimal: Decimal): Decimal {
  const length = decimal.digits.toString().replace('-', '').length;
  const power = decimal.exponent + length - 1;
  if (decimal.digits === 0n) return decimal;
  if (power > LARGEST_POWER) {
    throw new ValidationFailed(
      'Number overflow. Attempting to store a number with magnitude larger than supported range',
    );
  }
  if (power < SMALLEST_POWER) {
    throw new ValidationFailed(
      'Number underflow. Attempting to store a number with magnitude smaller than supported range',
    );
  }
  if (length > MOST_DIGITS) {
    throw new ValidationFailed('Attempting to store more than 38 significant digits in a Number');
  }
  return decimal;
}

/** Writes a number as DynamoDB does, without an exponent. */
export function formatDecimal({ digits, exponent }: Decimal): string {
  if (exponent >= 0) return `${digits}${'0'.repeat(exponent)}`;
  const sign = digits < 0n ? '-' : '';
  const text = digits
    .toString()
    .replace('-', '')
    .padStart(1 - exponent, '0');
  return `${sign}${text.slice(0, exponent)}.${text.slice(exponent)}`;
}

export function compareDecimals(a: Decimal, b: Decimal): number {
  const exponent = Math.min(a.exponent, b.exponent);
  const difference = scaled(a, exponent) - scaled(b, exponent);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

/** @throws ValidationFailed if the sum has too many digits */
export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const exponent = Math.min(a.exponent, b.exponent);
  return withinRange(normalize(scaled(a, exponent) + scaled(b, exponent), exponent));
}

export const negate = ({ digits, exponent }: Decimal): Decimal => ({ digits: -digits, exponent });

const scaled = ({ digits, exponent }: Decimal, to: number): bigint => digits * 10n ** BigInt(exponent - to);
