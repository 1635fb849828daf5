import { DatabaseSync } from 'node:sqlite';
import express from 'express';
import { verifyWebhook } from './verify.ts';

// Several of them, separated by spaces, while a rotation is under way.
const secrets = (process.env.GENWAY_WEBHOOK_SECRETS ?? '').split(' ').filter(Boolean);

const database = new DatabaseSync(process.env.DATABASE ?? 'webhooks.db');
database.exec('CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY, body BLOB, done INTEGER DEFAULT 0)');
const remember = database.prepare('INSERT INTO events (id, body) VALUES (?, ?) ON CONFLICT DO NOTHING');
const waiting = database.prepare('SELECT id, CAST(body AS TEXT) AS body FROM events WHERE done = 0');
const finish = database.prepare('UPDATE events SET done = 1 WHERE id = ?');

/** Whatever has been written down and not worked on, also by a process that has died since. */
function work(): void {
  for (const { id, body } of waiting.all()) {
    const event = JSON.parse(String(body));
    // Your work: fetch the result, tell your user … An event that is about no job has no id.
    console.log(`${event.type} ${event.data.id ?? event.data.workspace_id}`);
    finish.run(String(id));
  }
}

const app = express();
// The raw body, whatever its type: after express.json() there would be nothing left to verify.
app.post('/genway', express.raw({ type: () => true, limit: '64kb' }), (request, response) => {
  try {
    verifyWebhook(request.body, request.headers, secrets);
  } catch {
    response.status(401).end();
    return;
  }
  // The same webhook-id may come again; it is written down once.
  remember.run(String(request.headers['webhook-id']), request.body);
  // Written down is delivered. The work comes after the answer, so that it may take its time.
  response.status(204).end();
  setImmediate(work);
});

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`listening ${JSON.stringify(server.address())}`);
  work();
});
