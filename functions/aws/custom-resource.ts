import * as v from 'valibot';
import type { Log } from '../log.ts';

const requestSchema = v.object({
  RequestType: v.picklist(['Create', 'Update', 'Delete']),
  /** Where the answer goes: whoever knows it may answer. */
  ResponseURL: v.string(),
  StackId: v.string(),
  RequestId: v.string(),
  LogicalResourceId: v.string(),
  PhysicalResourceId: v.exactOptional(v.string()),
  ResourceProperties: v.record(v.string(), v.unknown()),
});

export interface CustomResourcePorts {
  readonly fetch: typeof fetch;
  readonly log: Log;
}

type Properties = Readonly<Record<string, unknown>>;

/**
 * A function that CloudFormation asks for values while it deploys, or to do something before it deletes. CloudFormation waits for an answer for up to an
 * hour, so a failure is an answer too; why it failed stays in the log.
 */
export function customResource(
  values: (properties: Properties) => Promise<Record<string, string>>,
  ports: CustomResourcePorts,
  remove: (properties: Properties) => Promise<void> = async () => undefined,
): (event: unknown) => Promise<void> {
  return async (event) => {
    const { RequestType, ResponseURL, ResourceProperties, ...request } = v.parse(requestSchema, event);
    const act = async () => {
      if (RequestType !== 'Delete') return values(ResourceProperties);
      await remove(ResourceProperties);
      return {};
    };
    const outcome = async () => ({ Status: 'SUCCESS', NoEcho: true, Data: await act() });
    const answer = await outcome().catch((error: unknown) => {
      ports.log.error('values for the deployment failed', { error });
      return { Status: 'FAILED', Reason: 'The log of the function says why' };
    });
    // As bytes: a text would get a content type, which the address is not signed for.
    const body = Buffer.from(
      JSON.stringify({ PhysicalResourceId: request.LogicalResourceId, ...request, ...answer }),
    );
    const { ok, status } = await ports.fetch(ResponseURL, { method: 'PUT', body });
    if (!ok) throw new Error(`CloudFormation did not take the answer: ${status}`);
  };
}
