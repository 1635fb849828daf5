import { ACMClient, type CertificateDetail, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import { type Finding, fault, note, ok } from './finding.ts';

/** CloudFront takes certificates from this region alone. */
const REGION = 'us-east-1';
/** ACM renews 60 days before the end what it can renew. */
const SOON = 30 * 24 * 3_600_000;

export async function findCertificate(CertificateArn: string): Promise<CertificateDetail | undefined> {
  const { Certificate } = await new ACMClient({ region: REGION }).send(
    new DescribeCertificateCommand({ CertificateArn }),
  );
  return Certificate;
}

/** Whether the edge can answer by the stage's own name. */
export function judgeCertificate(
  name: string,
  certificate: CertificateDetail | undefined,
  now: Date,
): Finding {
  const { Status, NotAfter, SubjectAlternativeNames: names = [] } = certificate ?? {};
  if (Status === 'PENDING_VALIDATION') {
    return fault(
      'certificate',
      `It waits for proof that ${name} is yours: add the DNS records that ACM shows`,
    );
  }
  if (Status !== 'ISSUED')
    return fault('certificate', `It is ${Status ?? 'missing'}: ask ACM for another one`);
  if (!names.some((one) => covers(one, name))) {
    return fault('certificate', `It is for ${names.join(', ')}, and not for ${name}`);
  }
  const until = NotAfter?.toISOString().slice(0, 10) ?? 'ever';
  if (NotAfter === undefined || NotAfter.getTime() - now.getTime() > SOON) {
    return ok('certificate', `for ${name} until ${until}`);
  }
  return note('certificate', `It ends on ${until}, and ACM has not renewed it: see why there`);
}

/** A star stands for one label. */
const covers = (pattern: string, name: string): boolean =>
  pattern.startsWith('*.') ? name.slice(name.indexOf('.')) === pattern.slice(1) : pattern === name;
