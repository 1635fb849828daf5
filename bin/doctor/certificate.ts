import { ACMClient, type CertificateDetail, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import { type Finding, fault, note, ok } from './finding.ts';

/** CloudFront only takes certificates from this region. */
const REGION = 'us-east-1';
/** ACM renews a certificate 60 days before its end, if it can. So one that ends this soon was not renewed. */
const SOON = 30 * 24 * 3_600_000;

export async function findCertificate(CertificateArn: string): Promise<CertificateDetail | undefined> {
  const { Certificate } = await new ACMClient({ region: REGION }).send(
    new DescribeCertificateCommand({ CertificateArn }),
  );
  return Certificate;
}

/** Checks whether the edge can serve the stage's own domain. */
export function judgeCertificate(
  name: string,
  certificate: CertificateDetail | undefined,
  now: Date,
): Finding {
  const { Status, NotAfter, SubjectAlternativeNames: names = [] } = certificate ?? {};
  if (Status === 'PENDING_VALIDATION') {
    return fault(
      'certificate',
      `ACM waits for proof that you own ${name}: add the DNS records that ACM shows`,
    );
  }
  if (Status !== 'ISSUED')
    return fault('certificate', `The certificate is ${Status ?? 'missing'}: request another one from ACM`);
  if (!names.some((one) => covers(one, name))) {
    return fault('certificate', `The certificate is for ${names.join(', ')}, and not for ${name}`);
  }
  const until = NotAfter?.toISOString().slice(0, 10) ?? 'ever';
  if (NotAfter === undefined || NotAfter.getTime() - now.getTime() > SOON) {
    return ok('certificate', `for ${name} until ${until}`);
  }
  return note('certificate', `The certificate ends on ${until}, and ACM has not renewed it: see in ACM why`);
}

/** A star stands for one label. */
const covers = (pattern: string, name: string): boolean =>
  pattern.startsWith('*.') ? name.slice(name.indexOf('.')) === pattern.slice(1) : pattern === name;
