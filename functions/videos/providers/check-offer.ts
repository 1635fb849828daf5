import { invalidField } from '../../http/errors.ts';
import { validate } from '../../http/validation.ts';
import { type Offer, offerSchema } from '../catalogue/offer.ts';
import { offerFault } from './dialects.ts';
import { adapterOf, type ProvidersSettings, settingsOf } from './provider-settings.ts';

/**
 * Checks a row for a running stage, by the rules of the file and one more: it must not need anything that only a
 * deployment can give.
 * @throws InvalidRequest
 */
export function checkOffer(row: unknown, providers: ProvidersSettings): Offer {
  const offer = validate(offerSchema, row);
  const { provider } = offer;
  if (settingsOf(provider, providers) === undefined) {
    const supported = Object.keys(providers);
    const rule = `${provider} is not configured on this stage; configured: ${supported.join(', ') || 'none'}`;
    throw invalidField('provider', rule, { supported });
  }
  const fault = offerFault(offer, providers);
  if (fault !== undefined) throw invalidField('provider', `the endpoint ${fault}`);
  if (adapterOf(provider, providers) === 'bedrock') {
    throw invalidField(
      'provider',
      'a Bedrock model needs an IAM permission that is granted only when the stage is deployed; add the model to videos.models in the settings of the stage, and deploy the stage',
    );
  }
  return offer;
}
