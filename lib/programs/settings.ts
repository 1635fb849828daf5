import { variables } from '../../functions/environment-names.ts';
import { type Capability, knowing } from '../constructs/program.ts';
import type { StageConfig } from '../stage/config.ts';

/** The stage's settings for programs. Each is separate, so that a function only gets those that it reads. */
export type Settings = ReturnType<typeof tellableSettings>;

export function tellableSettings(config: StageConfig) {
  return {
    wireNames: knowing({ [variables.wireNames]: config.wireNames }),
    privateHosts: knowing({ [variables.privateHosts]: config.allowedPrivateHosts.join(',') }),
    providerBaseUrls: knowing({ [variables.providerBaseUrls]: JSON.stringify(config.providerBaseUrls) }),
    videoProviders: knowing({ [variables.videoProviders]: JSON.stringify(config.videos.providers) }),
    providerCallbacks: knowing({ [variables.providerCallbacks]: callbacksOf(config) }),
    dataDiscount: knowing({ [variables.dataDiscount]: String(config.dataDiscount) }),
    approvals: knowing({ [variables.approvals]: config.approvals ? 'on' : 'off' }),
    oidc: knowing({ [variables.oidc]: JSON.stringify(config.oidc ?? null) }),
    storageQuota: knowing({ [variables.storageQuotaBytes]: String(config.storageQuotaBytes) }),
    submitters: knowing({ [variables.submitters]: String(config.submitterConcurrency) }),
    copiers: knowing({ [variables.copiers]: String(config.copierConcurrency) }),
    deliverers: knowing({ [variables.deliverers]: String(config.delivererConcurrency) }),
    resultDays: knowing({ [variables.resultDays]: String(config.resultDays) }),
    generationLogDays: knowing({ [variables.generationLogDays]: String(config.generationLogDays) }),
  } satisfies Record<string, Capability>;
}

/** Providers can call only where the stage has a public name. On this machine the sandbox can. */
function callbacksOf({ providerCallbacks, edge, domain, platform }: StageConfig): string {
  const isReachable = edge === 'cloudfront' || domain !== undefined || platform === 'emulator';
  return providerCallbacks === 'on' && !isReachable ? 'off' : providerCallbacks;
}
