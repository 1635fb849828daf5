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
const exactMoment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'full' });
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const isDay = (iso: string): boolean => iso.length === '2026-11-27'.length;

/** A moment in the reader's own time zone; a day as it is, because the API counts days in UTC. */
export const dateTime = (iso: string): string => (isDay(iso) ? day : moment).format(new Date(iso));

/** The same with its time zone. */
export const exactTime = (iso: string): string =>
  isDay(iso) ? `${day.format(new Date(iso))}, UTC` : exactMoment.format(new Date(iso));

/** `in_progress` as people write it. */
export const words = (name: string): string => name.replaceAll('_', ' ');
