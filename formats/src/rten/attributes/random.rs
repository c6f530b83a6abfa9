//! Attributes of operators with random numbers and of transforms to frequencies.

use binfmt_runtime::{BinFormat, FbVec};

/// Random numbers around a mean.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct RandomNormalAttributes<'a> {
    /// The mean.
    #[bin(slot = 0)]
    pub mean: f32,
    /// The standard deviation.
    #[bin(slot = 1)]
    pub scale: f32,
    /// What the random numbers begin with; else they differ from run to run.
    #[bin(slot = 2)]
    pub seed: Option<f32>,
    /// How many in each dimension.
    #[bin(slot = 3)]
    pub shape: Option<FbVec<'a, u32>>,
}

/// Random numbers around a mean, as many as the input has.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct RandomNormalLikeAttributes {
    /// The mean.
    #[bin(slot = 0)]
    pub mean: f32,
    /// The standard deviation.
    #[bin(slot = 1)]
    pub scale: f32,
    /// What the random numbers begin with; else they differ from run to run.
    #[bin(slot = 2)]
    pub seed: Option<f32>,
}

/// Random numbers of a range.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct RandomUniformAttributes<'a> {
    /// How many in each dimension.
    #[bin(slot = 0)]
    pub shape: Option<FbVec<'a, u32>>,
    /// Where the range ends.
    #[bin(slot = 1)]
    pub high: f32,
    /// Where the range begins.
    #[bin(slot = 2)]
    pub low: f32,
    /// What the random numbers begin with; else they differ from run to run.
    #[bin(slot = 3)]
    pub seed: Option<f32>,
}

/// Random numbers of a range, as many as the input has.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct RandomUniformLikeAttributes {
    /// Where the range ends.
    #[bin(slot = 0)]
    pub high: f32,
    /// Where the range begins.
    #[bin(slot = 1)]
    pub low: f32,
    /// What the random numbers begin with; else they differ from run to run.
    #[bin(slot = 2)]
    pub seed: Option<f32>,
}

/// Random classes.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct MultinomialAttributes {
    /// How many are drawn.
    #[bin(slot = 0)]
    pub sample_size: i32,
    /// What the random numbers begin with; else they differ from run to run.
    #[bin(slot = 1)]
    pub seed: Option<f32>,
}

/// Which elements are left out in training.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct DropoutAttributes {
    /// What the random numbers begin with; else they differ from run to run.
    #[bin(slot = 0)]
    pub seed: Option<i32>,
}

/// A Fourier transform.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct DftAttributes {
    /// Whether it goes back.
    #[bin(slot = 0)]
    pub inverse: bool,
    /// Whether half of the frequencies is left out, as it follows from the other one.
    #[bin(slot = 1)]
    pub onesided: bool,
}

/// A Fourier transform of windows.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct StftAttributes {
    /// Whether half of the frequencies is left out, as it follows from the other one.
    #[bin(slot = 0, default = true)]
    pub onesided: bool,
}
