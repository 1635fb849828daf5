const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 6,
  minimumFractionDigits: 2,
});

export const usd = (amount: number): string => dollars.format(amount);

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

export function byteSize(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  const value = bytes / 1024 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`;
}

export const seconds = (length: number): string => `${Number(length.toFixed(1))} s`;

const share = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });
/** @param part from 0 to 1 */
export const percent = (part: number): string => share.format(part);

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
/** In the reader's own time zone. */
export const dateTime = (iso: string): string => moment.format(new Date(iso));

const shortMoment = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
/** Where room is short: without the year and the seconds. */
export const shortTime = (iso: string): string => shortMoment.format(new Date(iso));

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
/** @param date such as `2026-11-27`, in UTC */
export const shortDay = (date: string): string => day.format(new Date(date));

/** `in_progress` as people write it. */
export const words = (name: string): string => name.replaceAll('_', ' ');
