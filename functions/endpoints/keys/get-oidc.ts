import { publicHandler } from '../../deployed/gate.ts';
import { deployedIssuer } from '../../deployed/issuer.ts';
import { json } from '../../http/response.ts';
import { routes } from './definition.ts';

const deployed = deployedIssuer();

export const handler = publicHandler(routes['get-oidc'], async () => {
  if (deployed === null) return json(200, { data: null });
  const { authorization_endpoint } = await deployed.issuer.document();
  const { issuer, clientId: client_id, requestedScope: scope } = deployed.settings;
  return json(200, { data: { issuer, authorization_endpoint, client_id, scope } });
});
