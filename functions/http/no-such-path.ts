import { suggestion } from './did-you-mean.ts';
import { NotFound } from './errors.ts';
import { type Route, routes } from './routes.ts';

const PATHS = Object.values<Route>(routes).map(({ path }) => path.slice(1));

/** @param asked as the caller wrote it, without the first slash */
export function noSuchPath(asked: string): NotFound {
  const meant = suggestion(asked.replace(/^(api\/)?(v1\/)?/, '').replace(/\/$/, ''), PATHS);
  const hint = meant === undefined ? '' : `; did you mean /api/v1/${meant}?`;
  return new NotFound(`No such path; the API lives under /api/v1${hint}`);
}
