//! The layout of a Compute Optimizer export: the positions of its columns.

use crate::outcome::Failure;

/// The kind of export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Ec2,
    Ebs,
    AutoScaling,
    Lambda,
    Ecs,
    Rds,
}

impl Kind {
    const ALL: [Self; 6] = [Self::Ec2, Self::Ebs, Self::AutoScaling, Self::Lambda, Self::Ecs, Self::Rds];

    pub fn title(self) -> &'static str {
        match self {
            Self::Ec2 => "AWS Compute Optimizer, EC2 instances",
            Self::Ebs => "AWS Compute Optimizer, EBS volumes",
            Self::AutoScaling => "AWS Compute Optimizer, Auto Scaling groups",
            Self::Lambda => "AWS Compute Optimizer, Lambda functions",
            Self::Ecs => "AWS Compute Optimizer, ECS services",
            Self::Rds => "AWS Compute Optimizer, RDS databases",
        }
    }

    /// The prefix of rule names.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Ec2 => "ec2",
            Self::Ebs => "ebs",
            Self::AutoScaling => "auto_scaling",
            Self::Lambda => "lambda",
            Self::Ecs => "ecs",
            Self::Rds => "rds",
        }
    }

    /// The resource type in the ARN.
    pub fn resource_type(self) -> &'static str {
        match self {
            Self::Ec2 => "instance",
            Self::Ebs => "volume",
            Self::AutoScaling => "autoScalingGroup",
            Self::Lambda => "function",
            Self::Ecs => "service",
            Self::Rds => "db",
        }
    }

    /// The service in the ARN.
    pub fn arn_service(self) -> &'static str {
        match self {
            Self::Ec2 | Self::Ebs => "ec2",
            Self::AutoScaling => "autoscaling",
            Self::Lambda => "lambda",
            Self::Ecs => "ecs",
            Self::Rds => "rds",
        }
    }

    /// The service name in FOCUS.
    pub fn service_name(self) -> &'static str {
        match self {
            Self::Ec2 | Self::Ebs | Self::AutoScaling => "Amazon Elastic Compute Cloud",
            Self::Lambda => "AWS Lambda",
            Self::Ecs => "Amazon Elastic Container Service",
            Self::Rds => "Amazon Relational Database Service",
        }
    }

    /// The reason for a cell that is not an ARN of the expected type.
    pub fn not_its_arn(self) -> &'static str {
        match self {
            Self::Ec2 => "not the ARN of an EC2 instance",
            Self::Ebs => "not the ARN of an EBS volume",
            Self::AutoScaling => "not the ARN of an Auto Scaling group",
            Self::Lambda => "not the ARN of a Lambda function",
            Self::Ecs => "not the ARN of an ECS service",
            Self::Rds => "not the ARN of an RDS database",
        }
    }

    fn arn_column(self) -> &'static str {
        match self {
            Self::Ec2 => "instancearn",
            Self::Ebs => "volumearn",
            Self::AutoScaling => "autoscalinggrouparn",
            Self::Lambda => "functionarn",
            Self::Ecs => "servicearn",
            Self::Rds => "resourcearn",
        }
    }

    /// The prefix of option columns. Columns about a database's storage are only evidence.
    fn options(self) -> &'static str {
        if self == Self::Rds { "instancerecommendationoptions1" } else { "recommendationoptions1" }
    }

    fn finding_column(self) -> &'static str {
        if self == Self::Rds { "instancefinding" } else { "finding" }
    }
}

/// The parsed header of an export.
#[derive(Debug)]
pub struct Layout {
    kind: Kind,
    pub width: usize,
    pub arn: usize,
    pub finding: usize,
    pub account: Option<usize>,
    pub name: Option<usize>,
    pub count: Option<usize>,
    pub error: Option<usize>,
    pub savings: Option<usize>,
    pub currency: Option<usize>,
    /// The meaning of each column for the evidence.
    pub fields: Vec<Field>,
    header: Vec<String>,
}

/// Where a column goes in the evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Field {
    /// Stored elsewhere.
    Known,
    /// A property of the current resource.
    Current(String),
    /// A property of an option, numbered from 1.
    Option(u32, String),
    /// Any other value: utilisation, reasons, dates.
    Other(String),
}

impl Layout {
    /// The layout, if the header belongs to Compute Optimizer; an error when a required column is missing.
    pub fn find(header: &[String]) -> Option<Result<Self, Failure>> {
        let plain: Vec<String> = header.iter().map(|name| plain(name)).collect();
        let place = |wanted: &str| plain.iter().position(|name| name == wanted);
        let has = |wanted: &str| plain.iter().any(|name| name.starts_with(wanted));
        let (kind, arn) = Kind::ALL
            .into_iter()
            .filter(|kind| has(kind.options()))
            .find_map(|kind| Some((kind, place(kind.arn_column())?)))?;
        let Some(finding) = place(kind.finding_column()) else {
            let name = if kind == Kind::Rds { "instanceFinding" } else { "finding" };
            return Some(Err(Failure {
                message: format!(
                    "The file looks like an AWS Compute Optimizer export, but it lacks the column {name}. Nothing was imported."
                ),
                looked_for: vec![name.to_owned()],
                found: format!("a CSV with the columns {}", crate::outcome::list(header)),
            }));
        };
        let option = |name: &str| place(&format!("{}{name}", kind.options()));
        let name = place("instancename").or_else(|| place("autoscalinggroupname"));
        let known = [Some(arn), Some(finding), place("accountid"), name, place("recommendationscount")];
        let fields = header
            .iter()
            .enumerate()
            .map(|(at, name)| if known.contains(&Some(at)) { Field::Known } else { Field::of(name) })
            .collect();
        Some(Ok(Self {
            kind,
            width: header.len(),
            arn,
            finding,
            account: place("accountid"),
            name,
            count: place("recommendationscount"),
            error: place("errormessage").or_else(|| place("errorcode")),
            savings: option("estimatedmonthlysavingsvalue").or_else(|| option("estimatedmonthlysavings")),
            currency: option("estimatedmonthlysavingscurrency"),
            fields,
            header: header.to_vec(),
        }))
    }

    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The column name as in the file.
    pub fn column(&self, place: usize) -> &str {
        &self.header[place]
    }
}

impl Field {
    fn of(name: &str) -> Self {
        let options = ["recommendationOptions_", "instanceRecommendationOptions_"];
        if let Some(rest) = options.into_iter().find_map(|prefix| name.strip_prefix(prefix))
            && let Some((number, rest)) = rest.split_once('_')
            && let Ok(number) = number.parse()
        {
            let rest = rest.strip_prefix("configuration_").unwrap_or(rest);
            return Self::Option(number, snake(amount(rest)));
        }
        let current = ["currentConfiguration_", "currentServiceConfiguration_", "current_", "current"]
            .into_iter()
            .find_map(|prefix| name.strip_prefix(prefix));
        match current {
            Some(rest) if !rest.is_empty() => Self::Current(snake(rest)),
            _ => Self::Other(snake(name)),
        }
    }
}

/// `estimatedMonthlySavings` from `estimatedMonthlySavings_value`, with or without the underscore.
fn amount(name: &str) -> &str {
    name.strip_suffix("_value")
        .or_else(|| name.strip_suffix("SavingsValue").map(|_| &name[..name.len() - 5]))
        .unwrap_or(name)
}

/// The name in lower case without separators: exports spell their columns in several ways.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// Converts `volumeType` to `volume_type`.
fn snake(name: &str) -> String {
    // An abbreviation followed by a word; the case alone does not separate them.
    let name = name.replace("DBInstance", "DbInstance");
    let mut text = String::with_capacity(name.len() + 4);
    let mut after_lower = false;
    for c in name.chars() {
        if c.is_ascii_uppercase() && after_lower {
            text.push('_');
        }
        after_lower = c.is_ascii_lowercase() || c.is_ascii_digit();
        text.push(c.to_ascii_lowercase());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_tells_of_the_resource_or_of_an_option() {
        for (name, expected) in [
            ("currentInstanceType", Field::Current("instance_type".to_owned())),
            ("current_monthlyPrice", Field::Current("monthly_price".to_owned())),
            ("currentConfiguration_volumeType", Field::Current("volume_type".to_owned())),
            ("recommendationOptions_2_configuration_volumeSize", Field::Option(2, "volume_size".to_owned())),
            (
                "recommendationOptions_1_estimatedMonthlySavings_value",
                Field::Option(1, "estimated_monthly_savings".to_owned()),
            ),
            (
                "instanceRecommendationOptions_1_estimatedMonthlySavingsValue",
                Field::Option(1, "estimated_monthly_savings".to_owned()),
            ),
            ("currentDBInstanceClass", Field::Current("db_instance_class".to_owned())),
            ("currentServiceConfiguration_memory", Field::Current("memory".to_owned())),
            ("utilizationMetrics_CPU_MAXIMUM", Field::Other("utilization_metrics_cpu_maximum".to_owned())),
            ("lookBackPeriodInDays", Field::Other("look_back_period_in_days".to_owned())),
        ] {
            assert_eq!(Field::of(name), expected, "{name}");
        }
    }

    #[test]
    fn an_export_without_findings_is_refused() {
        let header = ["instanceArn", "recommendationOptions_1_instanceType"].map(str::to_owned);
        assert!(Layout::find(&header).unwrap().unwrap_err().message.contains("lacks the column finding"));
        assert!(Layout::find(&["instanceArn".to_owned()]).is_none());
    }
}
