import type { Construct } from 'constructs';
import { Canary } from './canary.ts';
import { QueueConsumer } from './constructs/queue-consumer.ts';
import { StreamConsumer } from './constructs/stream-consumer.ts';
import { Sweeper } from './constructs/sweeper.ts';

/** What triggers each worker of a stage, by the worker's name. An operator turns it off in an incident. */
export function workersOf(stage: Construct) {
  const parts = stage.node.findAll();
  const feeds = parts.filter((part) => part instanceof QueueConsumer || part instanceof StreamConsumer);
  const called = parts.filter((part) => part instanceof Sweeper || part instanceof Canary);
  return {
    feeds: Object.fromEntries(feeds.map(({ title, feed }) => [title, feed])),
    schedules: Object.fromEntries(called.map(({ title, schedule }) => [title, schedule])),
  };
}
