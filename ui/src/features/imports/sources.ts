/** How to get the files that can be read: one entry per provider, its steps in order. */
export interface Source {
  id: string;
  title: string;
  files: readonly SourceFile[];
}

export interface SourceFile {
  /** What the file brings. */
  title: string;
  steps: readonly Step[];
}

export interface Step {
  text: string;
  command?: string;
}

/** Columns of the FOCUS view that are worth having; its lists, other than tags, do not fit into CSV. */
const focusColumns = [
  'BilledCost, EffectiveCost, ListCost, ContractedCost, BillingCurrency',
  'BillingAccountId, SubAccountId, SubAccountName, BillingPeriodStart, BillingPeriodEnd',
  'ChargePeriodStart, ChargePeriodEnd, ChargeCategory, ChargeDescription, ProviderName',
  'ServiceName, ServiceCategory, RegionId, ResourceId, ResourceName, SkuId',
  'TO_JSON_STRING(Tags) AS Tags',
].join(', ');

export const sources: readonly Source[] = [
  {
    id: 'aws',
    title: 'AWS',
    files: [
      {
        title: 'Costs, as FOCUS',
        steps: [
          {
            text:
              'In Billing and Cost Management, open Data Exports and create a standard export of “FOCUS 1.2 with AWS columns”: ' +
              'format gzip – text/csv, file versioning “overwrite”, your bucket as destination. The first delivery comes within 24 hours.',
          },
          {
            text: 'Fetch one month, then drop the files here:',
            command:
              'aws s3 cp s3://BUCKET/PREFIX/EXPORT/data/BILLING_PERIOD=2026-10/ . --recursive --exclude "*" --include "*.csv.gz"',
          },
        ],
      },
      {
        title: 'Recommendations, from Compute Optimizer',
        steps: [
          {
            text: 'Export the recommendations of a region to a bucket that Compute Optimizer may write to:',
            command:
              'aws compute-optimizer export-ec2-instance-recommendations --s3-destination-config bucket=BUCKET --file-format Csv',
          },
          {
            text: 'The same for volumes:',
            command:
              'aws compute-optimizer export-ebs-volume-recommendations --s3-destination-config bucket=BUCKET --file-format Csv',
          },
          {
            text: 'Fetch the files once the export jobs are complete:',
            command: 'aws s3 cp s3://BUCKET/compute-optimizer/ . --recursive --exclude "*" --include "*.csv"',
          },
        ],
      },
    ],
  },
  {
    id: 'azure',
    title: 'Azure',
    files: [
      {
        title: 'Costs, as FOCUS',
        steps: [
          {
            text:
              'In Cost Management, open Exports and create one of the type “Cost and usage details (FOCUS)”: ' +
              'format CSV, compression gzip or none, a container of a storage account as destination. Choose “Run now” for the first file.',
          },
          {
            text: 'Fetch the newest delivery, then drop its files here; the manifest.json beside them is not needed:',
            command:
              'az storage blob download-batch --account-name ACCOUNT --source CONTAINER --destination . --pattern "*.csv*" --auth-mode login',
          },
        ],
      },
    ],
  },
  {
    id: 'gcp',
    title: 'Google Cloud',
    files: [
      {
        title: 'Costs, as FOCUS',
        steps: [
          {
            text:
              'Under Billing, turn on the BigQuery exports of detailed usage costs and of pricing, then create the FOCUS view that ' +
              'Google gives as a query in its guide to FOCUS.',
          },
          {
            text: 'Write one month of the view into a CSV file, then drop it here:',
            command:
              `bq query --use_legacy_sql=false --format=csv --max_rows=100000000 'SELECT ${focusColumns} ` +
              `FROM \`PROJECT.DATASET.FOCUS_VIEW\` WHERE BillingPeriodStart = "2026-10-01"' > focus-2026-10.csv`,
          },
        ],
      },
    ],
  },
  {
    id: 'oci',
    title: 'Oracle Cloud',
    files: [
      {
        title: 'Costs, as FOCUS',
        steps: [
          {
            text: 'Oracle writes the files every day. Let a group read them, with a policy in the root compartment:',
            command:
              'define tenancy usage-report as ocid1.tenancy.oc1..aaaaaaaaned4fkpkisbwjlr56u7cj63lf3wffbilvqknstgtvzub7vhqkggq\n' +
              'endorse group GROUP to read objects in tenancy usage-report',
          },
          {
            text: 'Fetch one month from the home region, then drop the files here:',
            command:
              'oci os object bulk-download --namespace-name bling --bucket-name TENANCY_OCID --prefix "FOCUS Reports/2026/10" --download-dir .',
          },
        ],
      },
    ],
  },
];
