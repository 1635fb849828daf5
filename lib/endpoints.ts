import { type Route, type RouteId, routes } from '../functions/http/routes.ts';
import type { Capability } from './constructs/capability.ts';

/** The capabilities of each route's function, besides those that the gate in front of it needs. */
export type Endpoints = PerRoute<readonly Capability[]>;

export type PerRoute<Value> = Readonly<Record<RouteId, Value>>;

const isRouteId = (id: string): id is RouteId => id in routes;

export const routeIds: readonly RouteId[] = Object.keys(routes).filter(isRouteId);

export function forEachRoute<Value>(make: (id: RouteId, route: Route) => Value): PerRoute<Value> {
  return Object.fromEntries(routeIds.map((id) => [id, make(id, routes[id])])) as PerRoute<Value>;
}
