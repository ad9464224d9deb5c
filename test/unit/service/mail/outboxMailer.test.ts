import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { MailError } from '../../../../src/service/mail/mailer';
import { OutboxMailer } from '../../../../src/service/mail/outboxMailer';
import { silentLogger } from '../../../support/silentLogger';
import { TestClock } from '../../../support/testClock';

const mail = { to: 'ada@example.com', subject: 'Grüße', text: 'One\nTwo\n', html: '<p>One</p>' };

describe('the outbox', () => {
  let folder: string;
  const mailerIn = (directory: string): OutboxMailer =>
    new OutboxMailer({
      directory,
      from: 'Fleet <fleet@example.com>',
      clock: new TestClock(),
      logger: silentLogger,
    });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-outbox-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('contains each message as a file that mail programs can read, only for its owner', async () => {
    const outbox = join(folder, 'outbox');
    const mailer = mailerIn(outbox);
    await Promise.all([mailer.send(mail), mailer.send({ ...mail, to: 'bo@example.com' })]);
    const files = readdirSync(outbox);
    assert.equal(files.length, 2);
    assert.equal(statSync(outbox).mode & 0o777, 0o700);
    const emails = await Promise.all(
      files.map(async (file) => {
        assert.match(file, /^2026-03-01T12-00-00-000Z-[0-9a-f]{8}\.eml$/);
        assert.equal(statSync(join(outbox, file)).mode & 0o777, 0o600);
        const bytes = readFileSync(join(outbox, file));
        assert.ok(!/[^\r]\n/.test(bytes.toString('latin1')), 'lines end as RFC 5322 wants');
        return PostalMime.parse(bytes);
      }),
    );
    assert.deepEqual(emails.map(({ to }) => to?.[0]?.address).sort(), [
      'ada@example.com',
      'bo@example.com',
    ]);
    const [email] = emails;
    assert.equal(email?.subject, 'Grüße');
    assert.equal(email.text?.trimEnd(), 'One\nTwo');
    assert.deepEqual(email.from, { name: 'Fleet', address: 'fleet@example.com' });
  });

  it('reports where it cannot write', async () => {
    const path = join(folder, 'file');
    writeFileSync(path, '');
    await assert.rejects(
      mailerIn(join(path, 'outbox')).send(mail),
      (error) => error instanceof MailError && /can't be written to .*ENOTDIR/.test(error.message),
    );
  });
});
