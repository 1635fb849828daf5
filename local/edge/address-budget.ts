import {
  UnauthenticatedBudget,
  type UnauthenticatedLimits,
} from '../../functions/gate/unauthenticated-budget.ts';
import { type AnsweredRequest, senderOf } from './answered-request.ts';
import type { EdgeRouter } from './edge.ts';
import { refusalAnswer } from './edge-answer.ts';

/** Limits how many 401s an address gets. Pages of other sites have one separate count together. */
export class AddressBudget {
  readonly #budget: UnauthenticatedBudget;

  constructor(limits: UnauthenticatedLimits, now: () => Date) {
    this.#budget = new UnauthenticatedBudget(limits, now);
  }

  count({ status, address }: Pick<AnsweredRequest, 'status' | 'address'>): void {
    if (status === 401) this.#budget.count(address);
  }

  /** Refuses requests from an address that has used its budget up, before `route` sees them. */
  before(route: EdgeRouter): EdgeRouter {
    return (request) => {
      const refusal = this.#budget.refusalOf(senderOf(request));
      return refusal === undefined ? route(request) : { answer: refusalAnswer(refusal) };
    };
  }
}
