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
        { title: 'Requests that fail on our side, share', lines: [failedShare(api)] },
        {
          title: 'Latency, ms',
          lines: [ofApi('Latency')(api, 'p50', 'p50'), ofApi('Latency')(api, 'p99', 'p99')],
        },
        { title: 'Answers', lines: ownBy(stage, 'Requests') },
      ],
      [
        { title: 'Ends of jobs', lines: ownBy(stage, 'JobsSettled') },
        { title: 'Webhook attempts', lines: ownBy(stage, 'WebhookAttempts') },
        { title: 'Traces', lines: ownBy(stage, 'Traces') },
        uploads(plant),
        ...(hasCanary ? [{ title: 'Runs of the canary', lines: ownBy(stage, 'CanaryRuns') }] : []),
      ],
      money(plant),
    ],
  };
}

function uploads({ uploader, uploadServer }: Plant): Panel {
  const small = ofFunction('Invocations')(uploader, 'Sum', 'small');
  if (uploadServer === undefined) return { title: 'Uploads', lines: [small] };
  return {
    title: 'Uploads',
    lines: [small, ofLoadBalancer('RequestCount')(uploadServer.loadBalancer, 'Sum', 'large')],
  };
}

/** A stage without providers has no videos that could take time or cost anything. */
function money({ stage, providers }: Plant): Panel[] {
  if (providers.length === 0) return [];
  return [
    {
      title: 'Time to a video, s (half of them)',
      lines: ownBy(stage, 'SecondsToVideo', { values: providers, statistic: 'p50' }),
    },
    {
      title: 'Time to a video, s (19 of 20)',
      lines: ownBy(stage, 'SecondsToVideo', { values: providers, statistic: 'p95' }),
    },
    {
      title: 'Charged, micro-dollars; jobs that cost us more',
      lines: [...ownBy(stage, 'ChargedMicros', { values: providers }), own(stage, 'JobsUnderpriced')],
    },
  ];
}
