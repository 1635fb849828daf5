import { failedShare, ofApi, ofFunction, ofLoadBalancer, own, ownBy } from '../measures.ts';
import type { Page, Panel, Plant } from './measure.ts';

/** What those who call notice: are they answered, how soon, do their videos come, and what do they pay? */
export function callersPage(plant: Plant): Page {
  const { stage, api, hasCanary } = plant;
  return {
    name: 'callers',
    text: 'What callers notice. Objective: 99.9 % of requests in a month do not fail on our side.',
    rows: [
      [
        { title: 'Requests that fail on our side', unit: 'share, 0 to 1', lines: [failedShare(api)] },
        {
          title: 'Latency',
          unit: 'ms',
          lines: [ofApi('Latency')(api, 'p50', 'p50'), ofApi('Latency')(api, 'p99', 'p99')],
        },
        { title: 'Answers', unit: 'requests', lines: ownBy(stage, 'Requests') },
      ],
      [
        { title: 'Ends of jobs', unit: 'jobs', lines: ownBy(stage, 'JobsSettled') },
        { title: 'Webhook attempts', unit: 'attempts', lines: ownBy(stage, 'WebhookAttempts') },
        { title: 'Traces', unit: 'attempts', lines: ownBy(stage, 'Traces') },
        uploads(plant),
        ...(hasCanary
          ? [{ title: 'Runs of the canary', unit: 'runs', lines: ownBy(stage, 'CanaryRuns') }]
          : []),
      ],
      money(plant),
      providersOf(plant),
    ],
  };
}

function uploads({ uploader, uploadServer }: Plant): Panel {
  const small = ofFunction('Invocations')(uploader, 'Sum', 'small');
  if (uploadServer === undefined) return { title: 'Uploads', unit: 'uploads', lines: [small] };
  return {
    title: 'Uploads',
    unit: 'uploads',
    lines: [small, ofLoadBalancer('RequestCount')(uploadServer.loadBalancer, 'Sum', 'large')],
  };
}

/** Whose fault it is that videos do not come. */
function providersOf({ stage, providers }: Plant): Panel[] {
  if (providers.length === 0) return [];
  return [
    {
      title: 'Jobs that a provider fails at',
      unit: 'share, 0 to 1',
      lines: ownBy(stage, 'ProviderFailures', { values: providers, statistic: 'Average' }),
    },
    {
      title: 'Calls refused because of the stage’s key',
      unit: 'calls',
      lines: ownBy(stage, 'KeysRefused', { values: providers }),
    },
  ];
}

/** A stage without providers has no videos that could take time or cost anything. */
function money({ stage, providers }: Plant): Panel[] {
  if (providers.length === 0) return [];
  return [
    {
      title: 'Time to a video (half of them)',
      unit: 's',
      lines: ownBy(stage, 'SecondsToVideo', { values: providers, statistic: 'p50' }),
    },
    {
      title: 'Time to a video (19 of 20)',
      unit: 's',
      lines: ownBy(stage, 'SecondsToVideo', { values: providers, statistic: 'p95' }),
    },
    {
      title: 'Charged',
      unit: 'micro-dollars',
      lines: ownBy(stage, 'ChargedMicros', { values: providers }),
    },
    { title: 'Jobs that cost us more', unit: 'jobs', lines: [own(stage, 'JobsUnderpriced')] },
  ];
}
