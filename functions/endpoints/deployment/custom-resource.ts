import * as v from 'valibot';
import type { Log } from '../../telemetry/log.ts';

const requestSchema = v.object({
  RequestType: v.picklist(['Create', 'Update', 'Delete']),
  /** Where the answer goes. It is a secret: whoever knows it may answer. */
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
 * A function that CloudFormation calls during a deployment, for values or for work before a deletion. CloudFormation
 * waits up to an hour for an answer, so a failure is answered too. Its cause stays in the log, which a rollback deletes,
 * so the answer has the name of the error.
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
      const name = error instanceof Error ? error.name : 'Error';
      return {
        Status: 'FAILED',
        Reason: `${name}: see the log of the Lambda function of this custom resource`,
      };
    });
    // Sent as bytes: a text would get a content type, and the signed address does not allow one.
    const body = Buffer.from(
      JSON.stringify({ PhysicalResourceId: request.LogicalResourceId, ...request, ...answer }),
    );
    const { ok, status } = await ports.fetch(ResponseURL, { method: 'PUT', body });
    if (!ok) throw new Error(`CloudFormation rejected the response: ${status}`);
  };
}
