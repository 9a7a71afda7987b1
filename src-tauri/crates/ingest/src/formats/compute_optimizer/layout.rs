//! Where the columns of one Compute Optimizer export stand.

use crate::report::Failure;

/// Which export it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Ec2,
    Ebs,
}

impl Kind {
    pub fn title(self) -> &'static str {
        match self {
            Self::Ec2 => "AWS Compute Optimizer, EC2 instances",
            Self::Ebs => "AWS Compute Optimizer, EBS volumes",
        }
    }

    /// What rule names begin with.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Ec2 => "ec2",
            Self::Ebs => "ebs",
        }
    }

    /// The resource's type, as its ARN has it.
    pub fn resource_type(self) -> &'static str {
        match self {
            Self::Ec2 => "instance",
            Self::Ebs => "volume",
        }
    }

    fn arn_column(self) -> &'static str {
        match self {
            Self::Ec2 => "instancearn",
            Self::Ebs => "volumearn",
        }
    }
}

/// The header of an export, understood.
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
    /// What each column tells, for the evidence.
    pub fields: Vec<Field>,
    header: Vec<String>,
}

/// Where a column goes in the evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Field {
    /// Told elsewhere.
    Known,
    /// The resource as it is.
    Current(String),
    /// One of the options, counted from 1.
    Option(u32, String),
    /// Anything else: utilisation, reasons, dates.
    Other(String),
}

impl Layout {
    /// The layout, when the header is one of Compute Optimizer; an error when something in it is missing.
    pub fn find(header: &[String]) -> Option<Result<Self, Failure>> {
        let plain: Vec<String> = header.iter().map(|name| plain(name)).collect();
        let place = |wanted: &str| plain.iter().position(|name| name == wanted);
        if !plain.iter().any(|name| name.starts_with("recommendationoptions1")) {
            return None;
        }
        let (kind, arn) =
            [Kind::Ec2, Kind::Ebs].into_iter().find_map(|kind| Some((kind, place(kind.arn_column())?)))?;
        let Some(finding) = place("finding") else {
            return Some(Err(Failure {
                message: "The file looks like an AWS Compute Optimizer export, but it lacks the column finding. Nothing was \
                          imported."
                    .to_owned(),
                looked_for: vec!["finding".to_owned()],
                found: format!("a CSV with the columns {}", crate::detect::list(header)),
            }));
        };
        let known = [
            Some(arn),
            Some(finding),
            place("accountid"),
            place("instancename"),
            place("recommendationscount"),
        ];
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
            name: place("instancename"),
            count: place("recommendationscount"),
            error: place("errormessage").or_else(|| place("errorcode")),
            savings: place("recommendationoptions1estimatedmonthlysavingsvalue")
                .or_else(|| place("recommendationoptions1estimatedmonthlysavings")),
            currency: place("recommendationoptions1estimatedmonthlysavingscurrency"),
            fields,
            header: header.to_vec(),
        }))
    }

    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The column's name as the file has it.
    pub fn column(&self, place: usize) -> &str {
        &self.header[place]
    }
}

impl Field {
    fn of(name: &str) -> Self {
        if let Some(rest) = name.strip_prefix("recommendationOptions_")
            && let Some((number, rest)) = rest.split_once('_')
            && let Ok(number) = number.parse()
        {
            let rest = rest.strip_prefix("configuration_").unwrap_or(rest);
            return Self::Option(number, snake(rest.strip_suffix("_value").unwrap_or(rest)));
        }
        let current = ["currentConfiguration_", "current_", "current"]
            .into_iter()
            .find_map(|prefix| name.strip_prefix(prefix));
        match current {
            Some(rest) if !rest.is_empty() => Self::Current(snake(rest)),
            _ => Self::Other(snake(name)),
        }
    }
}

/// The name in lower case without separators: exports spell their columns in several ways.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// `volumeType` as `volume_type`.
fn snake(name: &str) -> String {
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
